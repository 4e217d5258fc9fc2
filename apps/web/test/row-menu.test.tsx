import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openPage } from './open-page.tsx'

const TITLE = 'Fix price rounding at checkout'
const row = () => page.getByRole('link', { name: TITLE })
const menu = () => page.getByRole('group', { name: 'Actions of this session' })
const line = (name: string | RegExp) => menu().getByRole('button', { name })

async function openList() {
  await openPage('/')
  await expect.element(row()).toBeVisible()
}

describe('the menu of a row', () => {
  test('opens by the other button of the mouse, has what the page of the session has, and closes elsewhere', async () => {
    await openList()
    await row().click({ button: 'right' })
    await expect.element(menu()).toBeVisible()
    const lines = [...menu().element().querySelectorAll('.menu-item')].map((item) => item.textContent)
    expect(lines).toEqual([
      'Open in a new tab',
      'Copy link',
      'Star',
      'Note, tags and title',
      'Resume',
      'Share',
      'Brief for another agent',
      '1 sub-agent',
      'Copy session ID',
      'Raw record',
      'Archive…',
      'Move…',
      'Delete from gemini-dash…',
    ])
    await page.getByRole('heading', { level: 1 }).click()
    await expect.poll(() => menu().elements()).toEqual([])
    expect(window.location.pathname).toBe('/')
  })

  test('opens by its keys on the selected row and on the one that has the focus; what it opens gives the focus back', async () => {
    await openList()
    await userEvent.keyboard('j{Shift>}{F10}{/Shift}')
    await expect.element(line('Open in a new tab')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    const first = document.querySelector('.session-row.selected .session-row-link')
    expect(document.activeElement).toBe(first)
    ;(row().element() as HTMLElement).focus()
    await userEvent.keyboard('{ContextMenu}')
    await userEvent.keyboard('{End}{ArrowUp}{ArrowUp}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}')
    await expect.element(line('Delete from gemini-dash…')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    const dialog = page.getByRole('dialog', { name: 'Delete from gemini-dash' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(row()).toHaveFocus()
  })

  test('stars the session', async () => {
    await openList()
    await row().click({ button: 'right' })
    await line('Star').click()
    const item = () => row().element().closest('.session-row')
    await expect.poll(() => item()?.querySelector('.row-star')).not.toBeNull()
    await row().click({ button: 'right' })
    await line('Unstar').click()
    await expect.poll(() => item()?.querySelector('.row-star')).toBeNull()
  })

  test('opens by a long touch, which follows no link; one that moves is a scroll', async () => {
    await openList()
    const link = row().element()
    const { left, top } = link.getBoundingClientRect()
    const touch = (type: string, dy = 0) =>
      link.dispatchEvent(
        new PointerEvent(type, {
          pointerType: 'touch',
          bubbles: true,
          clientX: left + 5,
          clientY: top + 5 + dy,
        }),
      )
    touch('pointerdown')
    touch('pointermove', 30)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(menu().elements()).toEqual([])
    touch('pointerup')
    touch('pointerdown')
    await expect.element(menu()).toBeVisible()
    touch('pointerup')
    ;(link as HTMLElement).click()
    expect(window.location.pathname).toBe('/')
    await expect.element(menu()).toBeVisible()
  })
})
