import { expect, test } from 'vitest'
import { StreamWatch } from './events.ts'

const LOOK_MS = 5_000
const START_MS = Date.parse('2026-11-21T14:02:00Z')

function watchAt() {
  const clock = { now: START_MS }
  const watch = new StreamWatch(() => clock.now)
  /** Calls `look` at the page's interval for this long. */
  const looks = (ms: number, isHidden = false) =>
    Array.from({ length: ms / LOOK_MS }, () => {
      clock.now += LOOK_MS
      return watch.look(isHidden)
    })
  return { clock, watch, looks }
}

test('a stream is alive while a sign of life comes every 15 s', () => {
  const { watch, looks } = watchAt()
  for (let beat = 0; beat < 100; beat += 1) {
    watch.heard()
    expect(looks(15_000)).toEqual(['alive', 'alive', 'alive'])
  }
})

test('a stream without a sign of life for 45 s is silent, and it is known until when it was not', () => {
  const { clock, watch, looks } = watchAt()
  clock.now += 30_000
  watch.look(false)
  watch.heard()
  expect(looks(40_000)).not.toContain('silent')
  expect(looks(5_000)).toEqual(['silent'])
  expect(watch.heardMs).toBe(START_MS + 30_000)
})

test('one that was opened anew and is not there is silent after 10 s', () => {
  const { watch, looks } = watchAt()
  watch.openedAnew()
  expect(looks(10_000)).toEqual(['alive', 'silent'])
  watch.openedAnew()
  watch.heard()
  expect(looks(40_000)).not.toContain('silent')
})

test('who was asleep is woken by the next look, or finds the stream silent', () => {
  const { clock, watch, looks } = watchAt()
  clock.now += 25_000
  expect(watch.look(false)).toBe('woken')
  watch.heard()
  expect(looks(5_000)).toEqual(['alive'])
  clock.now += 3_600_000
  expect(watch.look(false)).toBe('silent')
})

test('a hidden tab, whose clock is slow, is not taken for one that was asleep', () => {
  const { clock, watch } = watchAt()
  clock.now += 30_000
  expect(watch.look(true)).toBe('alive')
})
