import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { CLI, type Program } from './fixtures/program.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { showColumns } from './fixtures/show-columns.ts'
import { expect, test } from './fixtures/test.ts'

/** With a rewound turn, a sub-agent and failures; apps/gemini-dash/test/figures.test.ts compares the texts of others. */
const { title } = SESSIONS.rounding

test('A9: row, head, usage and terminal say the same of a session', async ({ page, program }) => {
  // until then a figure may be that of a part
  await expectReadyIndex(page)
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: title })
  await showColumns(page, 'Turns', 'Tool calls', 'Tokens')
  const cell = (name: string) => row.locator(`.session-cell.of-${name}`)
  const [turns, tools, failed] = [
    await value(cell('turns')),
    await value(cell('tools')),
    await value(cell('failed')),
  ]
  const [shortTokens, tokens] = await shortAndExact(cell('tokens'))
  const shortCost = await value(cell('cost'))
  const href = (await row.getByRole('link').first().getAttribute('href')) ?? ''

  await page.goto(href)
  const facts = page.locator('.session-facts')
  await expect(facts).toContainText(
    `${turns} turns, ${tools} tool calls, ${shortTokens} tokens, ${shortCost}`,
  )
  await expect(facts).toContainText(failed === '0' ? '' : `${failed} failed`)
  const dialog = page.getByRole('dialog')

  await page.goto('/usage?range=all')
  await page.locator('.usage-figures').getByRole('button').click()
  const counted = dialog.getByRole('row', { name: title })
  await counted.getByRole('button').last().click()
  await expect(dialog.getByText('model calls,')).toBeVisible()
  await expect
    .poll(async () => {
      const { total, usd } = await explained(dialog)
      return [total, cents(usd)]
    })
    .toEqual([tokens, shortCost])

  const key = href.replace(/^\/s\//, '').replace(/[?#].*/, '')
  const [list, shown] = [print(program, 'list'), print(program, 'show', key)]
  const line = list.split('\n').find((printed) => printed.includes(key)) ?? ''
  expect(line).toMatch(new RegExp(`\\b${failed}\\b`))
  expect(line).toContain(shortTokens)
  expect(line).toContain(shortCost)
  expect(shown).toContain(shortCost)
})

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

/** Sums of a session and its sub-agents, as the dialog about it gives them. */
async function explained(dialog: Locator): Promise<{ total: string; usd: string }> {
  const together = dialog.getByRole('row', { name: /^Total \d+ [\d,]+ \$/ })
  if ((await together.count()) > 0) {
    const cells = await together.locator('td, th').allTextContents()
    return { total: cells.at(-2) ?? '', usd: (cells.at(-1) ?? '').replace('$', '') }
  }
  const sentence = await words(dialog.getByText('model calls,'))
  const [, total = '', usd = ''] = /([\d,]+) tokens in total, \$([\d.]+)/.exec(sentence) ?? []
  return { total, usd }
}

/** As a row writes it. */
function cents(usd: string): string {
  return `$${Number(usd).toFixed(2)}`
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
