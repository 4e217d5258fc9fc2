import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { Button, DrawerButton } from '../src/ui/buttons/button.tsx'
import { Dialog, RailFrame } from '../src/ui/dialog.tsx'

const opener = page.getByRole('button', { name: 'Open' })
const dialog = page.getByRole('dialog', { name: 'Asked' })

/** A page with a dialog that has a text field. */
function Opened({ isBusy = false }: { isBusy?: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isOpen && (
        <Dialog
          title="Asked"
          isBusy={isBusy}
          actions={<Button onClick={close}>Cancel</Button>}
          onClose={close}
        >
          <input aria-label="Word" />
        </Dialog>
      )}
    </>
  )
}

/** A press that starts at one element and ends at another; the browser dispatches the click on their common ancestor. */
function press(from: Element, to: Element) {
  from.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  const clicked = from === to ? to : dialog.element()
  clicked.dispatchEvent(new MouseEvent('click', { bubbles: true }))
}

describe('a dialog', () => {
  afterEach(() => cleanup())

  test('begins at its first field, and however it is closed, the focus is back where it was', async () => {
    await render(<Opened />)
    const ways = {
      escape: () => userEvent.keyboard('{Escape}'),
      close: () => userEvent.click(dialog.getByRole('button', { name: 'Close' })),
      cancel: () => userEvent.click(dialog.getByRole('button', { name: 'Cancel' })),
      beside: async () => press(dialog.element(), dialog.element()),
    }
    for (const [name, leave] of Object.entries(ways)) {
      await userEvent.click(opener)
      await expect.element(dialog.getByLabelText('Word'), { message: name }).toHaveFocus()
      await leave()
      await expect.poll(() => document.querySelector('dialog'), { message: name }).toBeNull()
      await expect.poll(() => document.activeElement === opener.element()).toBeTruthy()
    }
  })

  test('stays where a selection was drawn out of it, and keeps its keys from the page below', async () => {
    const below = vi.fn()
    window.addEventListener('keydown', below)
    await render(<Opened />)
    await userEvent.click(opener)
    await userEvent.keyboard('j')
    press(dialog.getByLabelText('Word').element(), dialog.element())
    await expect.element(dialog.getByLabelText('Word')).toHaveValue('j')
    window.removeEventListener('keydown', below)
    expect(below).not.toHaveBeenCalled()
  })

  test('leaves the page a key that is pressed while it closes', async () => {
    const below = vi.fn()
    await render(<Opened />)
    await userEvent.click(opener)
    const field = dialog.getByLabelText('Word').element()
    window.addEventListener('keydown', below)
    // closed, before the browser's close event
    field.closest('dialog')?.close()
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
    window.removeEventListener('keydown', below)
    expect(below).toHaveBeenCalledOnce()
  })

  test('stays while what it was asked for is being done', async () => {
    await render(<Opened isBusy />)
    await userEvent.click(opener)
    await userEvent.keyboard('{Escape}')
    press(dialog.element(), dialog.element())
    await expect.element(dialog).toHaveAttribute('aria-busy', 'true')
    await expect.element(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
  })
})

test('a drawer that was open before the window became wide is not open where it is narrow again', async () => {
  await page.viewport(390, 800)
  await render(
    <RailFrame railLabel="Rail" rail={<p>In the rail</p>}>
      <DrawerButton label="Rail" />
    </RailFrame>,
  )
  await page.getByRole('button', { name: 'Rail' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Rail' })).toBeVisible()
  await page.viewport(1280, 800)
  await expect.element(page.getByRole('complementary', { name: 'Rail' })).toBeVisible()
  await page.viewport(390, 800)
  await expect.element(page.getByRole('complementary', { name: 'Rail' })).not.toBeInTheDocument()
  await expect.poll(() => document.querySelector('dialog')).toBeNull()
  await cleanup()
})
