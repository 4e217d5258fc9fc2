import type { Page } from '@playwright/test'
import type { SessionSummary } from 'gemini-sessions'
import { machineTime } from '../fixtures/machine-time.ts'
import { FAMILY } from '../fixtures/write-family-home.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'

const ZONE = 'Asia/Kolkata'
test.use({ homeContent: 'family', timezoneId: ZONE })

for (const id of [FAMILY.night, FAMILY.outlived]) {
  test(`T3: list, head, usage, palette and compare show what the API says of ${id.slice(-2)} with its sub-agents`, async ({
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
    const cell = (index: number) => row.locator('.session-cell').nth(index)
    await expect(cell(4)).toHaveText(new RegExp(`^${toolCalls}\\b`))
    await expect(cell(4)).toHaveAttribute('title', /^of which own: \d+/)
    await expect(cell(5)).toHaveText(`${failures?.tools}`)
    await expect(cell(7)).toContainText(`${usage?.total.toLocaleString('en-US')}`)
    await expect(cell(8)).toContainText(short)
    await expect(cell(8)).toHaveAttribute('title', /, of which own: \$/)

    await page.goto(`/s/${key}`)
    await expect(figure(page, 'tool calls').locator('.head-value')).toHaveText(`${toolCalls}`)
    await expect(figure(page, 'tool calls')).toContainText(`${failures?.tools} failed`)
    await expect(figure(page, 'cost')).toContainText(fine)
    await page.getByRole('link', { name: 'where it went' }).click()
    const went = page.getByRole('region', { name: 'Where it went' }).getByRole('listitem').last()
    await expect(went).toContainText(`in ${usage?.calls} calls`)
    await expect(went).toContainText(`$${withSubagents.cost?.usd?.toFixed(4)}`)

    await page.goto('/usage?range=all')
    const ranked = page
      .locator('section', { has: page.getByRole('heading', { name: 'Most expensive sessions' }) })
      .getByRole('row', { name: title })
    await expect(ranked).toContainText(short)
    await expect(ranked).toContainText(`${usage?.calls}`)

    await page.keyboard.press('Control+k')
    await page.keyboard.type(title)
    const option = page.getByRole('option', { name: title }).first()
    await expect(option).toContainText(short)
    await page.keyboard.press('Escape')

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
  const { sums } = await (await page.request.get('/api/sessions?limit=1')).json()
  await page.goto('/')
  await expect(page.locator('.summary')).toContainText(
    `Tool calls${sums.toolCalls}${sums.failures.tools} failed`,
  )
  await expect(page.locator('.summary')).toContainText(`Failed requests${sums.failures.refused}`)
  const { total } = await (await page.request.get('/api/usage?by=tool')).json()
  await page.goto('/usage?range=all')
  await expect(page.locator('.tile', { hasText: 'Failed' })).toContainText(
    `${total.failures.tools + total.failures.refused}`,
  )
  await expect(page.locator('.tile', { hasText: 'Cost' })).toContainText(`$${total.cost.usd.toFixed(2)}`)
})

test('T3: what only a sub-agent failed at leads to that sub-agent', async ({ page }) => {
  await expectReadyIndex(page)
  const { title } = await sessionOf(page, FAMILY.outlived)
  await page.goto('/?has=errors')
  await page
    .locator('.session-row', { hasText: title })
    .getByRole('link', { name: '1 failed: show them' })
    .click()
  await expect(page.locator('.session-row')).toHaveCount(1)
  await expect(page.locator('.session-row')).toContainText(`Do what ${FAMILY.late.slice(-2)} does`)
})

test('T5: a session that ended in a refused request has no tool calls, and a refused request', async ({
  page,
}) => {
  await expectReadyIndex(page)
  await page.goto(`/s/${FAMILY.refused}`)
  await expect(figure(page, 'tool calls')).toHaveText(/^tool calls0$/)
  await expect(figure(page, 'refused request')).toContainText('1')
  await figure(page, 'refused request').getByText('the refusal').click()
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
  // an instant that is a midnight of the zone, six of them before the last one
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

/** One of those in the session's head. */
function figure(page: Page, unit: string) {
  const dt = page.locator('dt', { hasText: new RegExp(`^${unit}$`) })
  return page.locator('.head-figures > dl > div').filter({ has: dt })
}
