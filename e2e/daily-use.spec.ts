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
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

// What is done every day, once and quickly; other files look closely at each of it.
test.use({ ownProgram: 'daily-use' })

const { id } = SESSIONS.nightly

test('the tokens of a session, its turns, its messages and its chart are those of its log', async ({
  page,
  program,
}) => {
  const { calls } = readNightly(program)
  await expectReadyIndex(page)
  await page.goto(`/s/${id}`)
  await expect(page.locator('.head-figures').getByRole('button', { name: /^109,542 tokens/ })).toBeVisible()
  expect(calls.reduce((sum, { tokens }) => sum + tokens.total, 0)).toBe(109_542)
  const turn = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Turn 1' }) })
  await expect(turn).toContainText(/7 calls.*66\.7k in.*140 out/)

  const answer = await (await page.request.get(`/api/sessions/${id}/calls`)).json()
  expect(answer.messageKeys).toEqual(calls.map((call) => call.id))
  expect(answer.turns).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2])
  for (const name of ['input', 'cached', 'output', 'thoughts'] as const)
    expect(answer[name]).toEqual(calls.map(({ tokens }) => tokens[name]))

  const toggle = page.getByRole('button', { name: 'Chart', exact: true })
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  // a pointer that the chart scrolls away from ends the walk of the keys
  await page.mouse.move(0, 0)
  const chart = page.getByRole('group', { name: /^Tokens per call, 11 calls\. Arrow keys walk/ })
  const columns = chart.locator('.fill-output')
  await expect(columns).toHaveCount(calls.length)
  const heights = await columns.evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))))
  const scale = (heights[0] ?? 0) / (calls[0]?.tokens.output ?? 0)
  expect(scale).toBeGreaterThan(0)
  for (const [index, { tokens }] of calls.entries())
    expect(heights[index]).toBeCloseTo(tokens.output * scale, 3)

  for (const [number, said] of [
    [1, 'Call 1, turn 1: 9,247 input, of it 0 cached, 7 output, 115 thoughts, $0.020, a tool failed'],
    [5, 'Call 5, turn 1: 9,623 input, of it 8,785 cached, 48 output, $0.004'],
    [11, 'Call 11, turn 2: 10,924 input, of it 10,109 cached, 20 output, $0.004'],
  ] as const) {
    await chart.focus()
    await page.keyboard.press('Home')
    for (let step = 1; step < number; step++) await page.keyboard.press('ArrowRight')
    await expect(chart.locator('..').getByRole('status')).toHaveText(said)
    await page.keyboard.press('Enter')
    const message = page.locator(`[id="m-${calls[number - 1]?.id}"]`)
    await expect(message).toBeFocused()
    await expect(message).toBeInViewport()
    await expect(message.locator('.marginalia')).toHaveAttribute('title', BESIDE_MESSAGE[number])
  }
})

test('what is written to the log of an open session appears without a reload, also in the list', async ({
  page,
  program,
}) => {
  const chats = join(program.sandbox.home, '.gemini', 'tmp', 'webshop', 'chats')
  const file = join(chats, `session-2026-11-21T23-30-${randomUUID().slice(0, 8)}.jsonl`)
  const title = `Count the open orders of ${randomUUID().slice(0, 8)}`
  const row = page.locator('.session-row', { hasText: title })
  const head = page.locator('.head-figures')
  const messages = page.getByRole('article')
  await expectReadyIndex(page)
  writeAsCli(file, 'start', title)
  writeAsCli(file, 'answer', 'There are twelve.')
  await page.goto('/')
  await expect(row.getByRole('button', { name: /^26,012/ })).toBeVisible()
  await page.evaluate('window.isFirstDocument = true')
  await row.getByRole('link', { name: title }).click()
  await expect(head.getByRole('button', { name: /^26,012 tokens/ })).toBeVisible()
  await expect(messages).toHaveCount(2)

  writeAsCli(file, 'prompt', 'Which of them wait for money?')
  await expect(messages.nth(2)).toContainText('Which of them wait for money?')
  // like the CLI: once as it is said, and once more with its call
  const answer = answerOf('Orders 4 and 7 do.')
  writeAsCli(file, 'record', JSON.stringify(answer))
  await expect(messages.nth(3)).toContainText('Orders 4 and 7 do.')
  writeAsCli(file, 'record', JSON.stringify({ ...answer, toolCalls: [callOf('psql -f waiting.sql')] }))
  await expect(messages.nth(3)).toContainText('psql -f waiting.sql')
  await expect(messages.nth(3).locator('.marginalia')).toHaveAttribute(
    'title',
    'input 30,400, of it cached 26,000, output 31, thoughts 14, total as recorded 30,445',
  )
  await expect(messages).toHaveCount(4)
  await expect(head.getByRole('button', { name: /^56,457 tokens/ })).toBeVisible()

  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await expect(row.getByRole('button', { name: /^56,457/ })).toBeVisible()
  writeAsCli(file, 'answer', 'Written while the list was shown.')
  await expect(row.getByRole('button', { name: /^82,469/ })).toBeVisible()
  await row.getByRole('link', { name: title }).click()
  await expect(messages.nth(4)).toContainText('Written while the list was shown.')
  await expect(head.getByRole('button', { name: /^82,469 tokens/ })).toBeVisible()
  expect(await page.evaluate('window.isFirstDocument')).toBe(true)

  // what is new to the reader, a reload tells no more
  const shown = async () =>
    [...(await head.allInnerTexts()), ...(await messages.allInnerTexts())].map((text) =>
      text.replace(/^New since you were here\s+/, ''),
    )
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
  await page.getByRole('button', { name: 'More of this session' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const redacted = await download()
  expect(redacted.name).toMatch(/^2026-11-17-[-\w]+\.md$/)
  expect(redacted.text).toContain('~/code/billing-jobs')
  expect(redacted.text).not.toContain('/home/mia')

  await dialog.getByRole('button', { name: 'As recorded' }).click()
  const { text } = await download()
  expect(text).toBe(exportInTerminal(program))
  expect([...text.matchAll(/^## You, .*\n\n(.*)/gm)].map(([, prompt]) => prompt)).toEqual([
    'The nightly job failed again. What is wrong with the books?',
    'Repair the books of last night',
  ])
  expect(text).toContain('\nAccount **4711** is off by three cents: each of three refunds rounds its tax')
  expect(text).toContain(
    '\nA correcting entry of 3 cents is in `2026-11-16.corrections`; the check passes.\n',
  )
  expect(text).toContain('\n**Shell** go test ./... (failed, exit 1, later succeeded)\n')
  expect(text).toContain('run_test.go:48: E_LEDGER_DRIFT: account 4711 differs by 3 cents\n')
  const told = text.replaceAll(',', '').matchAll(/^<sub>(\d+) tokens in (\d+) of it cached (\d+) out (\d+)/gm)
  expect([...told].map(([, ...figures]) => figures.map(Number))).toEqual(
    calls.map(({ tokens }) => [tokens.input, tokens.cached, tokens.output, tokens.thoughts]),
  )
  const inLog = wordsOf(log.replace(/\\./g, ' '))
  const body = text.slice(text.indexOf('\n# '))
  expect([...wordsOf(body)].filter((word) => !inLog.has(word) && !FRAME.has(word))).toEqual([])

  await dialog.getByRole('button', { name: 'JSON', exact: true }).click()
  const json = await download()
  expect(json.name).toMatch(/\.json$/)
  const { session, messages } = JSON.parse(json.text)
  const answer = await (await page.request.get(`/api/sessions/${id}/messages?limit=100`)).json()
  expect([session.sessionId, session.usage.total, messages.length]).toEqual([id, 109_542, 23])
  expect(messages).toEqual(answer.messages)
})

/** What Markdown adds to the words of this session: who speaks, folds, kinds of blocks, how a call ended. */
const FRAME = wordsOf(
  'You Injected Thought Arguments Result lines exit later succeeded it out details sub json diff lt',
)

/** What stands beside the messages of three calls, exactly. */
const BESIDE_MESSAGE = {
  1: 'input 9,247, output 7, thoughts 115, total as recorded 9,369',
  5: 'input 9,623, of it cached 8,785, output 48, total as recorded 9,671',
  11: 'input 10,924, of it cached 10,109, output 20, total as recorded 10,944',
}

interface Call {
  id: string
  tokens: { input: number; output: number; cached: number; thoughts: number; total: number }
}

/** The log as it lies on disk, and its model calls: a record that comes again replaces the one before. */
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

/** In the time zone of the browser, which is not that of the terminal. */
function exportInTerminal({ sandbox: { folder, home } }: Program): string {
  const own = ['--cache-dir', join(folder, 'terminal'), '--data-dir', join(folder, 'terminal-data')]
  return execFileSync(process.execPath, [CLI, 'export', id, '--redact', 'off', '--home', home, ...own], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'Europe/Vienna' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
