import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.describe('a session of 400 messages', () => {
  test('a deep link lands on its message', async ({ page, request }) => {
    const answer = await request.get(`/api/sessions/${SESSIONS.long.id}/messages?offset=330&limit=1`)
    const [message] = (await answer.json()).messages
    await page.goto(`/s/${SESSIONS.long.id}#m-${message.key}`)
    const article = page.locator(`[id="m-${message.key}"]`)
    await expect(article).toBeInViewport()
    await expect(article).toBeFocused()
  })

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
    await expect(page.getByRole('searchbox').first()).toBeVisible()
  })

  test('a link to a message that is gone shows the session and says so', async ({ page }) => {
    await page.goto(`/s/${SESSIONS.rounding.id}#m-no-such-message`)
    await expect(page.getByRole('heading', { level: 1, name: SESSIONS.rounding.title })).toBeVisible()
    await expect(page.getByText(/message.*(not|no longer|gone)/i).first()).toBeVisible()
  })
})

test('the first eight characters of a session id lead to it', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id.slice(0, 8)}`)
  await expect(page.getByRole('heading', { level: 1, name: SESSIONS.rounding.title })).toBeVisible()
})
