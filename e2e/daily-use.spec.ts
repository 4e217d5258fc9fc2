import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { machineTime } from '../fixtures/machine-time.ts'
import { atRest } from './fixtures/at-rest.ts'
import { CLI, type Program } from './fixtures/program.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { showColumns } from './fixtures/show-columns.ts'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

// Everyday tasks, once and quickly; other files test the details.
test.use({ ownProgram: 'daily-use' })

const { id } = SESSIONS.nightly

test('the tokens of a session, its turns and its strip are those of its log', async ({ page, program }) => {
  const { calls } = readNightly(program)
  await expectReadyIndex(page)
  await page.goto(`/s/${id}`)
  await expect(page.locator('.session-facts')).toContainText('2 turns, 11 tool calls, 110k tokens, $0.06')
  expect(calls.reduce((sum, { tokens }) => sum + tokens.total, 0)).toBe(109_542)
  const answer = await (await page.request.get(`/api/sessions/${id}/calls`)).json()
  expect(answer.messageKeys).toEqual(calls.map((call) => call.id))
  expect(answer.turns).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2])
  for (const name of ['input', 'cached', 'output', 'thoughts'] as const)
    expect(answer[name]).toEqual(calls.map(({ tokens }) => tokens[name]))

  const strip = page.getByRole('slider', { name: /^Tokens by request\./ })
  await expect(strip).toHaveAttribute('aria-valuemax', String(calls.length))
  // the strip moving away from the pointer would end keyboard navigation
  await page.mouse.move(0, 0)
  await strip.focus()
  await page.keyboard.press('Home')
  for (const [number, said] of [
    [1, 'Request 1, turn 1, 9.2k in, 122 out, failed'],
    [5, 'Request 5, turn 1, 9.6k in, 48 out'],
    [11, 'Request 11, turn 2, 10.9k in, 20 out'],
  ] as const) {
    await expect
      .poll(async () => {
        const at = Number(await strip.getAttribute('aria-valuenow'))
        if (at < number) await page.keyboard.press('ArrowRight')
        return at
      })
      .toBe(number)
    await expect(strip).toHaveAttribute('aria-valuetext', said)
  }
  const { width } = (await strip.boundingBox()) ?? { width: 0 }
  await strip.click({ position: { x: width * 0.95, y: 20 } })
  const last = page.locator(`[id="m-${calls.at(-1)?.id}"]`)
  await expect(page).toHaveURL(new RegExp(`#m-${calls.at(-1)?.id}$`))
  await expect(last).toBeInViewport()
  await expect(page.locator('.margin-figure', { hasText: '56.8k in' })).toBeAttached()
})

test('what is written to the log of an open session appears without a reload, also in the list', async ({
  page,
  program,
}) => {
  const chats = join(program.sandbox.home, '.gemini', 'tmp', 'webshop', 'chats')
  const file = join(chats, `session-2026-11-21T23-30-${randomUUID().slice(0, 8)}.jsonl`)
  const title = `Count the open orders of ${randomUUID().slice(0, 8)}`
  const row = page.locator('.session-row', { hasText: title })
  const facts = page.locator('.session-facts')
  const messages = page.getByRole('article')
  await expectReadyIndex(page)
  writeAsCli(file, 'start', title)
  writeAsCli(file, 'answer', 'There are twelve.')
  await page.goto('/')
  await showColumns(page, 'Tokens')
  await expect(row.locator('.session-cell.of-tokens')).toContainText('26,012')
  await page.evaluate('window.isFirstDocument = true')
  await row.getByRole('link', { name: title }).click()
  await expect(facts).toContainText('26k tokens')
  await expect(messages).toHaveCount(2)

  writeAsCli(file, 'prompt', 'Which of them wait for money?')
  await expect(messages.nth(2)).toContainText('Which of them wait for money?')
  // like the CLI: once as text, and again with its tool call
  const answer = answerOf('Orders 4 and 7 do.')
  writeAsCli(file, 'record', JSON.stringify(answer))
  await expect(messages.nth(3)).toContainText('Orders 4 and 7 do.')
  writeAsCli(file, 'record', JSON.stringify({ ...answer, toolCalls: [callOf('psql -f waiting.sql')] }))
  await expect(messages.nth(3)).toContainText('psql -f waiting.sql')
  await expect(messages.nth(3).locator('.margin-figure')).toContainText('30.4k in')
  await expect(messages).toHaveCount(4)
  await expect(facts).toContainText('2 turns, 1 tool call, 56.5k tokens')

  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await expect(row.locator('.session-cell.of-tokens')).toContainText('56,457')
  writeAsCli(file, 'answer', 'Written while the list was shown.')
  await expect(row.locator('.session-cell.of-tokens')).toContainText('82,469')
  await row.getByRole('link', { name: title }).click()
  await expect(messages.nth(4)).toContainText('Written while the list was shown.')
  await expect(facts).toContainText(/82(?:\.5)?k tokens/)
  expect(await page.evaluate('window.isFirstDocument')).toBe(true)

  // after a reload nothing is new
  const shown = async () =>
    (await messages.allInnerTexts()).map((text) => text.replace(/^New since you were here\s+/, ''))
  const grown = await atRest(shown)
  await page.reload()
  await expect.poll(shown).toEqual(grown)
  expect(await page.evaluate('window.isFirstDocument')).toBeUndefined()
})

test('a session leaves as Markdown with its prompts, answers and calls and nothing else, and as JSON', async ({
  page,
  program,
}) => {
  const { log, calls } = readNightly(program)
  await expectReadyIndex(page)
  await page.goto(`/s/${id}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this session' })
  const download = async (format: string) => {
    await dialog.getByRole('button', { name: 'For programs…' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: format, exact: true }).click(),
    ])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const redacted = await download('Markdown')
  expect(redacted.name).toMatch(/^2026-11-17-[-\w]+\.md$/)
  expect(redacted.text).toContain('~/code/billing-jobs')
  expect(redacted.text).not.toContain('/home/mia')
  const json = await download('JSON')
  expect(json.name).toMatch(/\.json$/)
  expect(json.text).not.toContain('/home/mia')
  const { session, messages } = JSON.parse(json.text)
  // without attached files and what the CLI added
  expect([session.sessionId, session.usage.total, messages.length]).toEqual([id, 109_542, 13])

  const asRecorded = `/api/sessions/${id}/export?redact=off&tz=Europe/Vienna`
  const text = await (await page.request.get(`${asRecorded}&format=markdown`)).text()
  expect(text).toBe(exportInTerminal(program))
  expect([...text.matchAll(/^## You, .*\n\n(.*)/gm)].map(([, prompt]) => prompt)).toEqual([
    'The nightly job failed again. What is wrong with the books?',
    'Repair the books of last night',
  ])
  expect(text).toContain('\nAccount **4711** is off by three cents: each of three refunds rounds its tax')
  expect(text).toContain(
    '\nA correcting entry of 3 cents is in `2026-11-16.corrections`; the check passes.\n',
  )
  expect(text).toContain('run_test.go:48: E_LEDGER_DRIFT: account 4711 differs by 3 cents\n')
  const told = text.replaceAll(',', '').matchAll(/^<sub>(\d+) tokens in (\d+) cached (\d+) out (\d+)/gm)
  expect([...told].map(([, ...figures]) => figures.map(Number))).toEqual(
    calls.map(({ tokens }) => [tokens.input, tokens.cached, tokens.output, tokens.thoughts]),
  )
  const inLog = wordsOf(log.replace(/\\./g, ' '))
  const body = text.slice(text.indexOf('\n# '))
  expect([...wordsOf(body)].filter((word) => !inLog.has(word) && !FRAME.has(word))).toEqual([])
  const whole = await (await page.request.get(`${asRecorded}&format=json`)).json()
  const answer = await (await page.request.get(`/api/sessions/${id}/messages?limit=100`)).json()
  expect(whole.messages).toHaveLength(23)
  expect(whole.messages).toEqual(answer.messages)
})

/** What the Markdown export adds to this session's text: speakers, folds, kinds of blocks, results of tool calls. */
const FRAME = wordsOf(
  'You Injected Thought Arguments Result lines exit later succeeded it out details sub json diff lt',
)

interface Call {
  id: string
  tokens: { input: number; output: number; cached: number; thoughts: number; total: number }
}

/** The log on disk and its requests: a repeated record replaces the previous one. */
function readNightly({ sandbox }: Program): { log: string; calls: Call[] } {
  const folder = join(sandbox.home, '.gemini', 'tmp', 'billing-jobs', 'chats')
  const log = readFileSync(join(folder, `session-2026-11-17T07-05-${id.slice(0, 8)}.jsonl`), 'utf8')
  const records = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const calls = records.filter(({ type }) => type === 'gemini').map((record) => [record.id, record] as const)
  return { log, calls: [...new Map<string, Call>(calls).values()] }
}

function answerOf(content: string) {
  const tokens = { input: 30_400, output: 31, cached: 26_000, thoughts: 14, tool: 0, total: 30_445 }
  const told = { type: 'gemini', content, thoughts: [], tokens, model: 'gemini-2.5-pro' }
  return { id: randomUUID(), timestamp: machineTime().toISOString(), ...told }
}

function callOf(command: string) {
  const timestamp = machineTime().toISOString()
  return { id: 'call', name: 'run_shell_command', args: { command }, status: 'success', timestamp }
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_]{2,}/gu))
}

/** In the browser's time zone, which differs from the terminal's. */
function exportInTerminal({ sandbox: { folder, home } }: Program): string {
  const own = ['--cache-dir', join(folder, 'terminal'), '--data-dir', join(folder, 'terminal-data')]
  return execFileSync(process.execPath, [CLI, 'export', id, '--redact', 'off', '--home', home, ...own], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'Europe/Vienna' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
