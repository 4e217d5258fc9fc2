import type { Page } from '@playwright/test'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

// Typical tasks with their number of actions. An action is a click or a key; typing text does not count.
test.describe('the three tasks', () => {
  test('the session where it was about the proxy: typing, and two actions', async ({ page }) => {
    const { act, actions } = counted()
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await act(() => page.keyboard.press('/'))
    await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
    await page.keyboard.type('proxy')
    const places = page
      .getByRole('listbox', { name: 'Suggestions' })
      .getByRole('group', { name: 'In messages' })
    await act(() => places.getByRole('option', { name: /behind one proxy/ }).click())
    await expect(page).toHaveURL(/\/s\//)
    await expect(inView(page, 'several readers sit behind one proxy')).toBeInViewport()
    expect(actions()).toBeLessThanOrEqual(2)
  })

  test('what a session cost: none; and why: one', async ({ page }) => {
    const { act, actions } = counted()
    await page.goto(`/s/${SESSIONS.rounding.id}`)
    await expect(page.getByRole('main').getByText('$0.68').first()).toBeInViewport()
    expect(actions()).toBe(0)
    await act(() =>
      page.getByRole('navigation', { name: 'Session' }).getByRole('link', { name: 'Cost' }).click(),
    )
    await expect(page.getByRole('region', { name: 'Why it cost $0.68' })).toBeInViewport()
    expect(actions()).toBeLessThanOrEqual(2)
  })

  test('where my agent failed: one, from the list', async ({ page }) => {
    const { act, actions } = counted()
    await page.goto('/')
    const row = page.locator('.session-row', { hasText: SESSIONS.rounding.title })
    await act(() => row.getByRole('link', { name: /failed: show them/ }).click())
    await expect(page.getByText('Failed, exit 1').first()).toBeInViewport()
    expect(actions()).toBeLessThanOrEqual(1)
  })
})

function inView(page: Page, text: string) {
  return page.getByRole('feed', { name: 'Conversation' }).getByText(text).first()
}

/** Counts a user's actions. */
function counted() {
  let count = 0
  const act = async (action: () => Promise<void>): Promise<void> => {
    count += 1
    await action()
  }
  return { act, actions: () => count }
}
