import type { Page } from '@playwright/test'
import { atRest } from './fixtures/at-rest.ts'
import { goBack } from './fixtures/go-back.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.describe('a session of 400 messages', () => {
  test('is drawn in part only', async ({ page }) => {
    await page.goto(`/s/${SESSIONS.long.id}`)
    await expect(page.getByRole('heading', { level: 1, name: SESSIONS.long.title })).toBeVisible()
    await expect(page.getByRole('article').first()).toBeVisible()
    expect(await page.getByRole('article').count()).toBeLessThan(120)
  })
})

test.describe('what is not there', () => {
  test.use({ expectedProblem: /status of 404/ })

  test('an unknown session says so and offers a search', async ({ page }) => {
    await page.goto('/s/no-such-session')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('combobox').first()).toBeVisible()
  })
})

test('the first eight characters of a session id lead to it', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id.slice(0, 8)}`)
  await expect(page.getByRole('heading', { level: 1, name: SESSIONS.rounding.title })).toBeVisible()
})

test.describe('who comes back to a session stands where they left it', () => {
  test('by the history, and after a reload', async ({ page }) => {
    await page.goto(`/s/${SESSIONS.long.id}`)
    const left = await leaveAt(page, 0.5)
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await expect(page).toHaveURL(/\/usage/)
    await goBack(page)
    await expectPlace(page, left)
    await page.reload()
    await expectPlace(page, left)
    expect(new URL(page.url()).hash).toBe('')
  })

  test('also where the address names another message, which it leads to when it is gone to', async ({
    page,
  }) => {
    const key = '4853f15d-3b3d-40fd-8053-f989a01b9a21'
    const named = page.locator(`[id="m-${key}"]`)
    await page.goto(`/s/${SESSIONS.rounding.id}#m-${key}`)
    await expect(named).toBeFocused()
    const left = await leaveAt(page, 0.4)
    await page.goto(`/s/${SESSIONS.long.id}`)
    await expect(page.getByRole('heading', { level: 1, name: SESSIONS.long.title })).toBeVisible()
    await goBack(page)
    await expectPlace(page, left)
    await page.goto('/usage')
    await page.goto(`/s/${SESSIONS.rounding.id}#m-${key}`)
    await expect(named).toBeFocused()
  })
})

test('the page of a sub-agent knows nothing of the message that its session was opened at', async ({
  page,
  request,
}) => {
  const { messages } = await (await request.get(`/api/sessions/${SESSIONS.rounding.id}/messages`)).json()
  const calling = messages.find((message: { toolCalls: { agentKey: string | null }[] }) =>
    message.toolCalls.some(({ agentKey }) => agentKey !== null),
  )
  await page.goto(`/s/${SESSIONS.rounding.id}#m-${calling.key}`)
  await page.getByRole('button', { name: /Codebase Investigator/i }).click()
  await page.getByRole('link', { name: 'Open as page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Find every place/ })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByText(/no longer in this session/)).toBeHidden()
})

/** The first message below the bars, and its position, px. */
const placeOf = (page: Page): Promise<[id: string, top: number] | null> =>
  page.evaluate(`(() => {
    const messages = [...document.querySelectorAll('.conversation article[id]')]
    const first = messages.find((message) => message.getBoundingClientRect().bottom > 96)
    return first === undefined ? null : [first.id, first.getBoundingClientRect().top]
  })()`)

/** Scrolls there; returns the position once all rows have their heights. */
async function leaveAt(page: Page, share: number): Promise<[id: string, top: number]> {
  await expect(page.getByRole('article').first()).toBeVisible()
  // scrolling by hand ends pending jumps
  await page.mouse.wheel(0, 1)
  await page.evaluate(
    `scrollTo({ top: document.documentElement.scrollHeight * ${share}, behavior: 'instant' })`,
  )
  // measuring rows above the window changes only its height
  const [place] = await atRest(async () => [await placeOf(page), await heightOf(page)] as const)
  if (place === null) throw new Error('No message is in sight.')
  return place
}

const heightOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollHeight')

async function expectPlace(page: Page, [id, top]: [id: string, top: number]): Promise<void> {
  await expect
    .poll(async () => {
      const place = await placeOf(page)
      return place?.[0] === id && Math.abs(place[1] - top) <= 2 ? 'where it was left' : place
    })
    .toBe('where it was left')
}
