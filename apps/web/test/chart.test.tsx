import type { SessionCalls } from '@gemini-dash/api'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { CellScale } from '../src/features/usage/cells/cell-scale.tsx'
import { ROUNDING } from './ask-server.ts'
import { openSession, whenLedTo } from './open-page.tsx'

const askCalls = async (): Promise<SessionCalls> => (await fetch(`/api/sessions/${ROUNDING}/calls`)).json()

afterEach(() => cleanup())

describe('the chart of tokens', () => {
  const group = () => page.getByRole('group', { name: /^Tokens per call/ })
  const said = () => document.querySelector('.chart-frame [role=status]')?.textContent ?? ''

  async function openChart() {
    await openSession(ROUNDING)
    // this browser keeps what is open
    if (document.querySelector('.token-chart') === null)
      await page.getByText('Chart', { exact: true }).click()
    await expect.element(group()).toBeVisible()
    ;(group().element() as HTMLElement).focus()
  }

  test('is one stop; arrows walk from the last call, and stop at both ends', async () => {
    await openChart()
    await expect.poll(() => document.querySelector('.chart-cursor')).not.toBeNull()
    await userEvent.keyboard('{Home}')
    const first = said()
    await userEvent.keyboard('{ArrowLeft}')
    expect(said()).toBe(first)
    await userEvent.keyboard('{ArrowRight}')
    const second = said()
    expect(second).not.toBe(first)
    await userEvent.keyboard('{End}')
    const last = said()
    await userEvent.keyboard('{ArrowRight}')
    expect(said()).toBe(last)
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => document.querySelector('.chart-cursor')).toBeNull()
  })

  test('Enter leads to the message of the call', async () => {
    const { messageKeys } = await askCalls()
    await openChart()
    await userEvent.keyboard('{Home}{ArrowRight}{Enter}')
    await whenLedTo(messageKeys[1] ?? '')
    expect(window.location.hash).toBe(`#m-${messageKeys[1]}`)
  })

  test('as a table has a row a call', async () => {
    await openChart()
    const { messageKeys } = await askCalls()
    await page.getByRole('figure').getByRole('button', { name: /table/ }).click()
    await expect.element(page.getByRole('figure').getByRole('table')).toBeVisible()
    const rows = document.querySelectorAll('.token-chart tbody tr')
    expect(rows).toHaveLength(messageKeys.length)
  })
})

describe('C14: the scale of marks', () => {
  test.each([0.02, 0.047, 0.3, 7.3, 1_200])(
    'never says the same of two sizes: %d dollars',
    async (highest) => {
      const screen = await render(<CellScale highest={highest} metric="cost" />)
      const words = [...screen.container.querySelectorAll('li')].map((item) => item.textContent)
      expect(words).toHaveLength(5)
      expect(new Set(words).size).toBe(5)
    },
  )
})
