import type { SessionCalls } from '@gemini-dash/api'
import { formatTokens } from '@gemini-dash/api/figures'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { ROUNDING } from './ask-server.ts'
import { drawn, drawnOffsets, openSession, whenLedTo } from './open-page.tsx'

const askCalls = async (): Promise<SessionCalls> => (await fetch(`/api/sessions/${ROUNDING}/calls`)).json()

const strip = () => document.querySelector<HTMLElement>('.strip-plot')
const valueText = () => strip()?.getAttribute('aria-valuetext') ?? ''

// the browser remembers that the chart is open, for later files as well
afterEach(async () => {
  const fold = page.getByRole('button', { name: 'Fold the chart' })
  if (fold.query() !== null) await fold.click()
})

async function openStrip() {
  await openSession(ROUNDING)
  // the browser remembers that the chart is open
  if (strip() === null) await page.getByRole('button', { name: 'Fold the chart' }).click()
  await expect.poll(() => strip()?.querySelector('svg') != null).toBeTruthy()
  strip()?.focus()
}

describe('the strip of tokens', () => {
  test('draws the tokens of each request, a tick for each failure, and says the one that is read', async () => {
    const { messageKeys, failed, input, output, thoughts } = await askCalls()
    await openStrip()
    const bars = (name: string) =>
      strip()?.querySelector(`.fill-${name}`)?.getAttribute('d')?.match(/M/g)?.length ?? 0
    expect(bars('output')).toBe(output.filter((tokens) => tokens > 0).length)
    expect(bars('thoughts')).toBe(thoughts.filter((tokens) => tokens > 0).length)
    expect(bars('cached')).toBeGreaterThan(0)
    expect(bars('fresh')).toBeGreaterThan(0)
    expect(strip()?.querySelectorAll('.strip-failure')).toHaveLength(failed.length)
    expect(strip()?.getAttribute('aria-valuemax')).toBe(String(messageKeys.length))
    await userEvent.keyboard('{Home}')
    await expect
      .poll(valueText)
      .toBe(
        `Request 1, turn 1, ${formatTokens(input[0] ?? 0)} in, ${formatTokens((output[0] ?? 0) + (thoughts[0] ?? 0))} out`,
      )
  })

  test('arrows move the conversation and keep the focus; a click leads to the message', async () => {
    const { messageKeys, offsets } = await askCalls()
    await openStrip()
    await userEvent.keyboard('{End}')
    await expect.poll(valueText).toMatch(new RegExp(`^Request ${messageKeys.length},`))
    await expect.poll(() => drawnOffsets().includes(offsets.at(-1) ?? -1)).toBe(true)
    expect(document.activeElement).toBe(strip())
    const box = strip()?.getBoundingClientRect()
    await userEvent.click(strip() as HTMLElement, { position: { x: (box?.width ?? 0) / 2, y: 20 } })
    await expect.poll(() => messageKeys.includes(window.location.hash.replace('#m-', ''))).toBeTruthy()
  })

  test('dragged before the conversation is drawn, it scrolls once that is there', async () => {
    await openStrip()
    let isDragged = false
    const observer = new MutationObserver(() => {
      const plot = strip()
      if (isDragged || plot?.querySelector('svg') == null || drawn().length > 0) return
      isDragged = true
      const { left, width, top } = plot.getBoundingClientRect()
      const at = (x: number) => ({ bubbles: true, pointerId: 1, clientX: left + x, clientY: top + 20 })
      vi.spyOn(plot, 'setPointerCapture').mockReturnValue()
      plot.dispatchEvent(new PointerEvent('pointerdown', at(4)))
      plot.dispatchEvent(new PointerEvent('pointermove', at(width / 2)))
      plot.dispatchEvent(new PointerEvent('pointerup', at(width / 2)))
    })
    // messages arrive only after dragging
    const ask = window.fetch.bind(window)
    vi.stubGlobal('fetch', async (...asked: Parameters<typeof fetch>) => {
      if (String(asked[0]).includes('/messages')) await expect.poll(() => isDragged).toBeTruthy()
      return ask(...asked)
    })
    onTestFinished(() => {
      observer.disconnect()
      vi.unstubAllGlobals()
    })
    await cleanup()
    observer.observe(document.body, { childList: true, subtree: true })
    await openSession(ROUNDING)
    expect(isDragged).toBe(true)
    await expect.poll(() => window.scrollY).toBeGreaterThan(500)
  })

  test('Enter or a double click unfolds the chart, which is folded again', async () => {
    await openStrip()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('group', { name: /^Tokens per request/ })).toBeVisible()
    expect(strip()).toBeNull()
    await page.getByRole('button', { name: 'Fold the chart' }).click()
    await expect.poll(() => strip()?.querySelector('svg') != null).toBeTruthy()
    await userEvent.dblClick(strip() as HTMLElement)
    await expect.element(page.getByRole('group', { name: /^Tokens per request/ })).toBeVisible()
  })

  test('the first click of a double click leaves the page where it is', async () => {
    await openStrip()
    const plot = strip() as HTMLElement
    const { left, top } = plot.getBoundingClientRect()
    const at = { bubbles: true, pointerId: 1, clientX: left + 300, clientY: top + 20 }
    vi.spyOn(plot, 'setPointerCapture').mockReturnValue()
    const click = () => {
      plot.dispatchEvent(new PointerEvent('pointerdown', at))
      plot.dispatchEvent(new PointerEvent('pointerup', at))
    }
    click()
    click()
    plot.dispatchEvent(new MouseEvent('dblclick', at))
    await expect.element(page.getByRole('group', { name: /^Tokens per request/ })).toBeVisible()
    expect([window.scrollY, window.location.hash]).toEqual([0, ''])
  })
})

describe('the chart of tokens', () => {
  const group = () => page.getByRole('group', { name: /^Tokens per request/ })
  const said = () => document.querySelector('.chart-frame [role=status]')?.textContent ?? ''

  async function openChart() {
    await openSession(ROUNDING)
    // the browser remembers that the chart is open
    if (document.querySelector('.token-chart') === null) {
      await openStrip()
      await userEvent.keyboard('{Enter}')
    }
    await expect.element(group()).toBeVisible()
    ;(group().element() as HTMLElement).focus()
  }

  test('is one stop; arrows walk from the last call, and stop at both ends', async () => {
    await openChart()
    await expect.poll(() => document.querySelector('.plot-cursor')).not.toBeNull()
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
    await expect.poll(() => document.querySelector('.plot-cursor')).toBeNull()
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
