import { apiPaths } from '@gemini-dash/api/paths'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { rememberSearch } from '../src/lib/session-search.ts'
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
  await expect.poll(() => rows().length).toBe(2)
  await userEvent.keyboard('j')
  rows()[0]?.querySelector<HTMLElement>('a')?.focus()
  await userEvent.keyboard('s')
  await expect.poll(() => rows().length).toBe(1)
  expect(document.activeElement?.closest('.session-row')).toBe(rows()[0])
})

test('the last filter that is taken off leaves the focus in the search box', async () => {
  await openPage('/search?q=rounding&in=prompt&status=error')
  const remove = (name: RegExp) => page.getByRole('button', { name })
  await expect.element(remove(/^Remove who/)).toBeVisible()
  ;(remove(/^Remove who/).element() as HTMLElement).focus()
  await userEvent.keyboard('{Delete}')
  await expect.element(remove(/^Remove tool result/)).toHaveFocus()
  await userEvent.keyboard('{Delete}')
  await expect.element(page.getByRole('combobox', { name: 'Search or jump to' })).toHaveFocus()
})

test('the button that clears the recent searches gives the focus to the box', async () => {
  rememberSearch('rounding')
  await openPage('/search')
  await expect.element(page.getByRole('link', { name: 'rounding', exact: true })).toBeVisible()
  ;(page.getByRole('button', { name: 'Clear' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('combobox', { name: 'Search or jump to' })).toHaveFocus()
  expect(document.querySelector('.recent-searches')).toBeNull()
})

/** Focuses a button and presses Enter. */
async function press(button: Locator) {
  await expect.element(button).toBeVisible()
  ;(button.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
}

describe('what puts itself away hands the focus to what is in its place', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('a price that is taken off in the settings', async () => {
    const put = (price: object | null) =>
      fetch('/api/settings', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ price: { model: 'my-model', price } }),
      })
    await put({ inputPerMillion: 1, cachedPerMillion: null, outputPerMillion: 2 })
    onTestFinished(async () => void (await put(null)))
    await openPage('/settings/prices')
    const remove = page.getByRole('button', { name: 'Remove your price of my-model' })
    await press(remove)
    await expect.element(remove).not.toBeInTheDocument()
    const focused = () => document.activeElement?.closest('section')?.textContent ?? ''
    await expect.poll(focused).toContain('Your prices')
  })

  test('the buttons of the archive', async () => {
    const ask = window.fetch.bind(window)
    const status = await (await ask('/api/keep')).json()
    let kept = { ...status, enabled: false, files: 3, sessions: 1, running: null }
    vi.stubGlobal('fetch', async (asked: string, options?: RequestInit) => {
      if (!asked.endsWith('/api/keep')) return ask(asked, options)
      const { enabled = kept.enabled } = JSON.parse(String(options?.body ?? '{}'))
      const homes = status.homes.map((home: object) => ({ ...home, kept: enabled }))
      kept = { ...kept, enabled, homes }
      return Response.json(kept)
    })
    await openPage('/settings/storage')
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const archive = page.getByRole('switch', { name: 'Archive sessions' })
    await expect.element(archive).toBeVisible()
    for (const isOn of [true, false]) {
      ;(archive.element() as HTMLElement).focus()
      await userEvent.keyboard(' ')
      await (isOn ? expect.element(archive).toBeChecked() : expect.element(archive).not.toBeChecked())
      await expect.element(archive).toHaveFocus()
    }
    await press(button('Delete archive…'))
    await expect.element(button('Cancel')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => document.activeElement?.closest('.archive-actions')).toBeTruthy()
  })

  test('the switch between shells keeps it while the other command is on its way', async () => {
    const ask = window.fetch.bind(window)
    let answer = () => {}
    const late = new Promise<void>((go) => {
      answer = go
    })
    vi.stubGlobal('fetch', async (asked: string, options?: RequestInit) => {
      if (/shell=powershell/.test(asked)) await late
      return ask(asked, options)
    })
    await openPage(`/s/${ROUNDING}`)
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    const shell = page.getByRole('button', { name: 'PowerShell' })
    await press(shell)
    await expect.element(shell).toHaveAttribute('aria-pressed', 'true')
    await expect.element(shell).toHaveFocus()
    answer()
    await expect.element(page.getByText(/^Set-Location/)).toBeVisible()
    await expect.element(shell).toHaveFocus()
  })
})
