import type { Page } from '@playwright/test'
import type { SessionSummary } from 'gemini-sessions'
import { machineTime } from '../fixtures/machine-time.ts'
import { FAMILY } from '../fixtures/write-family-home.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { showColumns } from './fixtures/show-columns.ts'
import { expect, test } from './fixtures/test.ts'

const ZONE = 'Asia/Kolkata'
test.use({ homeContent: 'family', timezoneId: ZONE })

for (const id of [FAMILY.night, FAMILY.outlived]) {
  test(`T3: list, head, usage and compare show what the API says of ${id.slice(-2)} with its sub-agents`, async ({
    page,
  }) => {
    await expectReadyIndex(page)
    const { key, title, withSubagents, cost } = await sessionOf(page, id)
    const { usage, toolCalls, failures } = withSubagents
    const fine = `$${withSubagents.cost?.usd?.toFixed(3)}`
    const short = `$${withSubagents.cost?.usd?.toFixed(2)}`
    expect(withSubagents.cost?.usd).toBeGreaterThan(cost?.usd ?? 0)

    await page.goto('/')
    const row = page.locator('.session-row', { hasText: title })
    await showColumns(page, 'Tool calls', 'Tokens')
    const cell = (name: string) => row.locator(`.session-cell.of-${name}`)
    await expect(cell('tools')).toHaveText(new RegExp(`^${toolCalls}\\b`))
    await expect(cell('tools').locator('[title]')).toHaveAttribute('title', /^of which own: \d+/)
    await expect(cell('failed')).toHaveText(`${failures?.tools}`)
    await expect(cell('tokens')).toContainText(`${usage?.total.toLocaleString('en-US')}`)
    await expect(cell('cost')).toContainText(short)
    await expect(cell('cost').locator('[title]')).toHaveAttribute('title', /, of which own: \$/)

    await page.goto(`/s/${key}`)
    const facts = page.locator('.session-facts')
    await expect(facts).toContainText(`${toolCalls} tool calls, `)
    await expect(facts).toContainText(short)
    await page.getByRole('link', { name: 'Cost', exact: true }).click()
    const why = page.getByRole('region', { name: `Why it cost ${short}` })
    await expect(why).toContainText('With sub-agents')

    await page.goto('/usage?range=all')
    const ranked = page.getByRole('table', { name: 'Sessions' }).getByRole('row', { name: title })
    await expect(ranked).toContainText(short)
    await expect(ranked).toContainText(`${usage?.calls}`)

    const other = await sessionOf(page, FAMILY.plain)
    await page.goto(`/compare?a=${key}&b=${other.key}`)
    const figures = page.getByRole('region', { name: 'Figures' })
    await expect(figures.getByRole('row', { name: /^Cost \$/ })).toContainText(fine)
    await expect(figures.getByRole('row', { name: /^Tool calls/ })).toContainText(`${toolCalls}`)
    await expect(figures.getByRole('row', { name: /^Failed tool calls/ })).toContainText(`${failures?.tools}`)
  })
}

test('T3: what is above the list, of a project and on Usage are the sums of the API', async ({ page }) => {
  await expectReadyIndex(page)
  const list = await (await page.request.get('/api/sessions?limit=1')).json()
  const sum = `${list.total} sessions · $${list.sums.cost.usd.toFixed(2)}`
  await page.goto('/')
  await expect(page.locator('.scope-sum')).toHaveText(
    `${sum} + ${list.sums.cost.unpricedCalls} unpriced Why?`,
  )
  const { key } = (await sessionOf(page, FAMILY.night)).project
  const own = await (await page.request.get(`/api/sessions?limit=1&project=${key}`)).json()
  await page.goto(`/p/${key}`)
  await expect(page.locator('.scope-sum')).toContainText(
    `${own.total} sessions · $${own.sums.cost.usd.toFixed(2)}`,
  )
  const { total, rows } = await (await page.request.get('/api/usage?by=tool')).json()
  const calls = rows.reduce((sum: number, row: { calls: number }) => sum + row.calls, 0)
  await page.goto('/usage?range=all')
  const figures = page.locator('.usage-figures > div')
  const failed = figures.filter({ hasText: 'Failed tool calls' })
  await expect(failed.locator('.usage-figure')).toHaveText(`${total.failures.tools} failed tool calls`)
  await expect(failed).toContainText(`of ${calls}`)
  await expect(figures.filter({ hasText: 'Cost' })).toContainText(`$${total.cost.usd.toFixed(2)}`)
})

test('T3: what only a sub-agent failed at leads to that sub-agent', async ({ page }) => {
  await expectReadyIndex(page)
  const { title } = await sessionOf(page, FAMILY.outlived)
  await page.goto('/?has=errors')
  await page
    .locator('.session-row', { hasText: title })
    .getByRole('link', { name: /^1 failed: show them/ })
    .click()
  await expect(page.locator('.session-row')).toHaveCount(1)
  await expect(page.locator('.session-row')).toContainText(`Do what ${FAMILY.late.slice(-2)} does`)
})

test('T5: a session that ended in a refused request has no tool calls, and a refused request', async ({
  page,
}) => {
  await expectReadyIndex(page)
  await page.goto(`/s/${FAMILY.refused}`)
  await expect(page.locator('.session-facts')).toContainText('0 tool calls, 1 API error')
  await page.locator('.verdict-link').click()
  await expect(page).toHaveURL(/#m-/)
})

test('T4: the last 7 days of the page are those of the API, in the zone of its reader', async ({ page }) => {
  await expectReadyIndex(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  for (const path of ['/?range=7d', '/usage?range=7d', '/search?q=what&range=7d']) {
    await page.goto(path)
    await expect
      .poll(() => asked.splice(0).map((url) => new URL(url).searchParams.get('from')))
      .toContain(firstDay())
  }
  // midnight in the zone, six days before the last midnight
  const [api, explicit] = await Promise.all(
    ['7d', firstDay()].map(async (from) =>
      (await page.request.get(`/api/usage?from=${from}&tz=${ZONE}`)).json(),
    ),
  )
  expect(api).toEqual(explicit)
})

function firstDay(): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(machineTime())
  return new Date(Date.parse(today) - 6 * 86_400_000).toISOString().slice(0, 10)
}

async function sessionOf(page: Page, id: string): Promise<SessionSummary> {
  return (await (await page.request.get(`/api/sessions/${id}`)).json()).session
}
