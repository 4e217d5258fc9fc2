import { apiPaths } from '@gemini-dash/api/paths'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { rememberSearch } from '../src/lib/address/recent-searches.ts'
import { LONG, ROUNDING } from './ask-server.ts'
import { openPage } from './open-page.tsx'

test('a star that is taken back in the list of starred sessions leaves the focus at the next one', async () => {
  const star = async (isStarred: boolean) => {
    for (const key of [ROUNDING, LONG])
      await fetch(apiPaths.mark(key), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ star: isStarred }),
      })
  }
  await star(true)
  onTestFinished(() => star(false))
  await openPage('/?starred=yes')
  const rows = () => document.querySelectorAll('.session-list .session-row')
  await vi.waitUntil(() => rows().length === 2, 5_000)
  rows()[0]?.querySelector<HTMLElement>('.star-button')?.focus()
  await userEvent.keyboard('{Enter}')
  await vi.waitUntil(() => rows().length === 1, 5_000)
  expect(document.activeElement?.closest('.session-row')).toBe(rows()[0])
})

test('the last filter that is taken off leaves the focus in the search box', async () => {
  await openPage('/search?q=rounding&in=prompt&status=error')
  const remove = (name: RegExp) => page.getByRole('button', { name })
  await expect.element(remove(/^Remove said by/)).toBeVisible()
  ;(remove(/^Remove said by/).element() as HTMLElement).focus()
  await userEvent.keyboard('{Delete}')
  await expect.element(remove(/^Remove result of the tool call/)).toHaveFocus()
  await userEvent.keyboard('{Delete}')
  await expect.element(page.getByRole('combobox', { name: 'Search', exact: true })).toHaveFocus()
})

test('the button that clears the recent searches gives the focus to the box', async () => {
  rememberSearch('rounding')
  await openPage('/search')
  await expect.element(page.getByRole('link', { name: 'rounding', exact: true })).toBeVisible()
  ;(page.getByRole('button', { name: 'Clear' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('combobox', { name: 'Search', exact: true })).toHaveFocus()
  expect(document.querySelector('.recent-searches')).toBeNull()
})
