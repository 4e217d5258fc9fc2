import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { CLI, type Program } from './fixtures/program.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { showColumns } from './fixtures/show-columns.ts'
import { expect, test } from './fixtures/test.ts'

/** With a rewound turn, a sub-agent and failures; apps/gemini-dash/test/figures.test.ts compares the texts of other sessions. */
const { title } = SESSIONS.rounding

test('A9: row, head, bill and terminal say the same of a session', async ({ page, program }) => {
  // until then a figure may be partial
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
  await page.getByRole('link', { name: 'Cost', exact: true }).click()
  await page.getByText('All the arithmetic').click()
  const bill = page.getByRole('region', { name: 'Bill' }).locator('tfoot td, tfoot th')
  await expect(bill.last()).toHaveText(/^\$\d/)
  const sums = await bill.allTextContents()
  expect([sums.at(-3), cents(sums.at(-1) ?? '')]).toEqual([tokens, shortCost])

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

/** Without the name for screen readers after it. */
async function value(locator: Locator): Promise<string> {
  return (await words(locator)).split(' ')[0] ?? ''
}

/** A short form is beside the exact one, which is for screen readers. */
async function shortAndExact(locator: Locator): Promise<[string, string]> {
  const short = locator.locator('[aria-hidden]').first()
  if ((await short.count()) === 0) return [await value(locator), await value(locator)]
  return [await words(short), await words(locator.locator('.visually-hidden').first())]
}

/** In the format of a row. */
function cents(usd: string): string {
  return `$${Number(usd.replace('$', '')).toFixed(2)}`
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
