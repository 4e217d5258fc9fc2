import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { CLI, type Program } from './fixtures/program.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

/** With a rewound turn and a sub-agent, long, and with failures. */
const TITLES = [SESSIONS.rounding.title, SESSIONS.long.title, SESSIONS.nightly.title]

for (const title of TITLES) {
  test(`A9: row, head, usage and terminal say the same of “${title}”`, async ({ page, program }) => {
    // until then a figure may be that of a part
    await expectReadyIndex(page)
    await page.goto('/')
    const row = page.locator('.session-row', { hasText: title })
    const cell = (index: number) => row.locator('.session-cell').nth(index)
    const [turns, tools, failed] = [await value(cell(3)), await value(cell(4)), await value(cell(5))]
    const [shortTokens, tokens] = await shortAndExact(cell(7))
    const shortCost = await value(cell(8))
    const href = (await row.getByRole('link').first().getAttribute('href')) ?? ''

    await page.goto(href)
    await expect(figure(page, 'turns').locator('.head-value')).toHaveText(turns)
    await expect(figure(page, 'tool calls').locator('.head-value')).toHaveText(tools)
    await expect(figure(page, 'tool calls')).toContainText(failed === '0' ? 'tool calls' : `${failed} failed`)
    const dialog = page.getByRole('dialog')
    await figure(page, 'cost').getByRole('button').click()
    await expect(dialog.getByText('model calls,')).toBeVisible()
    const { total, usd } = await explained(dialog)
    expect([total, cents(usd)]).toEqual([tokens, shortCost])
    await page.keyboard.press('Escape')

    await page.goto('/usage?range=all')
    await page.locator('.tile', { hasText: 'Tokens' }).getByRole('button').click()
    const counted = dialog.getByRole('row', { name: title })
    await counted.getByRole('button').last().click()
    await expect(dialog.getByText('model calls,')).toBeVisible()
    await expect.poll(() => explained(dialog)).toEqual({ total, usd })

    const key = href.replace(/^\/s\//, '').replace(/[?#].*/, '')
    const [list, shown] = [print(program, 'list'), print(program, 'show', key)]
    const line = list.split('\n').find((printed) => printed.includes(key)) ?? ''
    expect(line).toMatch(new RegExp(`\\b${failed}\\b`))
    expect(line).toContain(shortTokens)
    expect(line).toContain(inTerminal(Number(usd)))
    const own = await page.request.get(`/api/sessions/${key}`)
    const { session } = (await own.json()) as { session: { cost: { usd: number } } }
    expect(shown).toContain(inTerminal(session.cost.usd))
  })
}

async function words(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? '').trim()
}

/** Without the name that screen readers hear behind it. */
async function value(locator: Locator): Promise<string> {
  return (await words(locator)).split(' ')[0] ?? ''
}

/** A short form stands beside the exact one, which is for screen readers. */
async function shortAndExact(locator: Locator): Promise<[string, string]> {
  const short = locator.locator('[aria-hidden]').first()
  if ((await short.count()) === 0) return [await value(locator), await value(locator)]
  return [await words(short), await words(locator.locator('.visually-hidden').first())]
}

/** One of the five in the session's head. */
function figure(page: Page, unit: string): Locator {
  const dt = page.locator('dt', { hasText: new RegExp(`^${unit}$`) })
  return page.locator('.head-figures > dl > div').filter({ has: dt })
}

/** Sums of a session and its sub-agents, as the dialog about it gives them. */
async function explained(dialog: Locator): Promise<{ total: string; usd: string }> {
  const together = dialog.getByRole('row', { name: /^Together \d+ [\d,]+ \$/ })
  if ((await together.count()) > 0) {
    const cells = await together.locator('td, th').allTextContents()
    return { total: cells.at(-2) ?? '', usd: (cells.at(-1) ?? '').replace('$', '') }
  }
  const sentence = await words(dialog.getByText('model calls,'))
  const [, total = '', usd = ''] = /([\d,]+) tokens in all, \$([\d.]+)/.exec(sentence) ?? []
  return { total, usd }
}

/** As a row writes it. */
function cents(usd: string): string {
  return `$${Number(usd).toFixed(2)}`
}

/** As a line of the terminal writes it. */
function inTerminal(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}

function print({ sandbox }: Program, ...args: string[]): string {
  const own = [
    '--cache-dir',
    join(sandbox.folder, 'terminal'),
    '--data-dir',
    join(sandbox.folder, 'terminal-data'),
  ]
  const homes = sandbox.homes.flatMap((home) => ['--home', home])
  return execFileSync(process.execPath, [CLI, ...args, ...homes, ...own], { encoding: 'utf8' })
}
