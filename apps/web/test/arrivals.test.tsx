import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ArrivalStatus } from '../src/features/follow-pill.tsx'
import { LONG } from './ask-server.ts'
import { startLiveLog } from './live-log.ts'
import { drawn, openSession, showOnly, whenRead } from './open-page.tsx'

const pill = (name: string | RegExp) => page.getByRole('button', { name })

describe('C1: what came in', () => {
  test.each(['', '?show=dialogue', '?show=errors'])(
    'is counted by what was appended, under %j',
    async (show) => {
      const log = await startLiveLog(10)
      await openSession(log.id, show)
      await log.answer(1)
      await expect.element(pill('1 new message')).toBeVisible()
      await log.answer(2)
      await expect.element(pill('3 new messages')).toBeVisible()
    },
  )

  test('is not changed by another filter, and is gone once the end was seen', async () => {
    const log = await startLiveLog(10)
    await openSession(log.id)
    await log.answer(2, 6)
    await expect.element(pill('2 new messages')).toBeVisible()
    await showOnly('Prompts and answers')
    await whenRead()
    await expect.element(pill('2 new messages')).toBeVisible()
    await pill('2 new messages').click()
    await expect.poll(() => drawn().at(-1)?.ariaPosInSet).toBe('22')
    await expect.element(pill(/new message/)).not.toBeInTheDocument()
  })

  test('is nothing in a session that has ended, whatever filter is chosen', async () => {
    await openSession(LONG)
    for (const name of ['Failed', 'Thinking', 'All turns']) {
      await showOnly(name)
      await whenRead()
      expect(pill(/new message/).elements()).toEqual([])
    }
  })

  test('is not followed while the reader pauses', async () => {
    const log = await startLiveLog(8)
    await openSession(log.id)
    await userEvent.keyboard('{Shift>}g{/Shift}')
    await pill('Following; pause').click()
    const before = window.scrollY
    await log.answer(1, 10)
    await expect.element(pill('1 new message')).toBeVisible()
    expect(window.scrollY).toBeCloseTo(before, -1)
    await pill('1 new message').click()
    await expect.element(pill('Following; pause')).toBeVisible()
  })

  test('is told to screen readers while it goes on, at most every five seconds', async () => {
    vi.useFakeTimers()
    try {
      const screen = await render(<ArrivalStatus total={10} />)
      const said = () => screen.container.querySelector('[role=status]')?.textContent
      const grow = async (total: number, ms: number) => {
        await screen.rerender(<ArrivalStatus total={total} />)
        await vi.advanceTimersByTimeAsync(ms)
        await screen.rerender(<ArrivalStatus total={total} />)
      }
      await grow(11, 1)
      expect(said()).toBe('1 new message, 11 in total')
      // one message per second: announcements must be neither delayed to the end nor constant
      for (let total = 12; total <= 15; total += 1) {
        await grow(total, 1_000)
        expect(said()).toBe('1 new message, 11 in total')
      }
      await grow(15, 1_000)
      expect(said()).toBe('4 new messages, 15 in total')
      await grow(15, 60_000)
      expect(said()).toBe('4 new messages, 15 in total')
      await grow(16, 1)
      expect(said()).toBe('1 new message, 16 in total')
    } finally {
      // A change of a session that is announced just now has set a timer, too: later tests would see no change any more.
      vi.runOnlyPendingTimers()
      vi.useRealTimers()
    }
  })
})
