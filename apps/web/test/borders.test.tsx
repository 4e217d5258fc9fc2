import { Suspense } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { connection } from '../src/api/connection.ts'
import { CardBoundary } from '../src/features/conversation/part-body.tsx'
import { Border, lazyDialog, lazyPanel } from '../src/ui/lazy.tsx'
import { LONG, ROUNDING } from './ask-server.ts'
import { drawn, openPage, openSession } from './open-page.tsx'

const realFetch = window.fetch.bind(window)
/** Matching paths get an answer that no version of the server would send. */
let isSpoilt = (_path: string): boolean => false

beforeEach(() => {
  // React logs each error caught by a boundary
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const path = String(input)
    return isSpoilt(path) ? Response.json({ calls: 7, turns: null, items: 'none' }) : realFetch(input, init)
  })
})
afterEach(async () => {
  await cleanup()
  isSpoilt = () => false
  vi.restoreAllMocks()
})

const failures = () => page.getByText('This part could not be drawn.').elements().length

describe('what throws is replaced alone', () => {
  test.each([
    ['the changes', '?view=changes', /\/changes/],
    ['the cost', '?view=cost', /\/calls/],
    ['the map', '', /\/map$/, LONG],
    ['the calls', '', /\/calls(?:\?|$)/],
    ['files beside the session', '', /\/neighbours$/],
  ])('%s', async (_, rest, path, ref = ROUNDING) => {
    isSpoilt = (asked) => path.test(asked)
    await openPage(`/s/${ref}${rest}`)
    await expect.poll(() => failures() > 0).toBeTruthy()
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(document.querySelector('.top-bar')).not.toBeNull()
  })

  test('and only that: what is read stays, and another try draws it again', async () => {
    isSpoilt = (path) => /\/calls/.test(path)
    await openSession(ROUNDING)
    await expect.poll(() => failures()).toBe(1)
    expect(drawn().length).toBeGreaterThan(0)

    let isBad = true
    const Part = () => {
      if (isBad) throw new Error('not yet')
      return <p>the part</p>
    }
    await render(
      <Border>
        <Part />
      </Border>,
    )
    isBad = false
    await page.getByRole('button', { name: 'Retry' }).last().click()
    await expect.element(page.getByText('the part')).toBeVisible()
  })

  test('a card, with its data to be copied, and not the cards beside it', async () => {
    const Card = ({ header }: { header: string }) => {
      if (header === 'constructor') throw new TypeError('not a function')
      return <p>the card</p>
    }
    const cards = (data: { header: string }) => (
      <>
        <CardBoundary what="ask_user" data={data}>
          <Card {...data} />
        </CardBoundary>
        <CardBoundary what="shell" data={null}>
          <p>beside it</p>
        </CardBoundary>
      </>
    )
    const { rerender } = await render(cards({ header: 'constructor' }))
    await expect.element(page.getByText('ask_user could not be drawn.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Copy details' })).toBeVisible()
    await expect.element(page.getByText('beside it')).toBeVisible()
    // the tool call has received more data
    await rerender(cards({ header: 'Which one?' }))
    await expect.element(page.getByText('the card')).toBeVisible()
  })
})

describe('what cannot be loaded', () => {
  test('is a panel that says so, and is there after another try', async () => {
    let tries = 0
    const Panel = lazyPanel(async () => {
      tries += 1
      if (tries === 1) throw new Error('Failed to fetch dynamically imported module')
      return { default: () => <p>the panel</p> }
    })
    await render(<Panel />)
    await expect.element(page.getByText('This part could not be drawn.')).toBeVisible()
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.element(page.getByText('the panel')).toBeVisible()
    expect(tries).toBe(2)
  })

  test('is a dialog that says so and can be closed', async () => {
    const onClose = vi.fn()
    const Dialog = lazyDialog<{ onClose: () => void }>(() => Promise.reject(new Error('gone')))
    await render(<Dialog onClose={onClose} />)
    await expect.element(page.getByRole('dialog', { name: 'This part could not be drawn' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
  })

  test('is a dialog that is tried again when the server is found, and is not closed by that', async () => {
    const onClose = vi.fn()
    let fail = (_: Error) => {}
    const tries: Promise<never>[] = [Promise.reject(new Error('gone'))]
    const Dialog = lazyDialog<{ onClose: () => void }>(() => {
      const next = new Promise<never>((_, reject) => {
        fail = reject
      })
      return tries.pop() ?? next
    })
    await render(
      <Suspense fallback={<p>being loaded</p>}>
        <Dialog onClose={onClose} />
      </Suspense>,
    )
    const failed = page.getByRole('dialog', { name: 'This part could not be drawn' })
    await expect.element(failed).toBeVisible()
    connection.found()
    await expect.element(page.getByText('being loaded')).toBeVisible()
    // the browser's close event arrives late
    await new Promise((resolve) => setTimeout(resolve))
    fail(new Error('still gone'))
    await expect.element(failed).toBeVisible()
    expect(onClose).not.toHaveBeenCalled()
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
  })
})
