import { beforeEach, expect, it } from 'vitest'
import { OutOfTime, SearchClock } from './search-clock.ts'

const now = { workedMs: 0, passedMs: 0 }
beforeEach(() => void Object.assign(now, { workedMs: 0, passedMs: 0 }))

function start(limitMs: number): SearchClock {
  return new SearchClock(limitMs, { workMs: () => now.workedMs, nowMs: () => now.passedMs })
}

function pass(passedMs: number, workedMs = passedMs): void {
  now.passedMs += passedMs
  now.workedMs += workedMs
}

it('is over when the thread has worked for so long', () => {
  const clock = start(10_000)
  pass(9_900)
  expect(clock.isOver).toBe(false)
  pass(100)
  expect(clock.isOver).toBe(true)
})

it('R67: is not over after a minute in which the process was suspended', () => {
  const clock = start(10_000)
  pass(60_000, 0)
  expect(clock.isOver).toBe(false)
  pass(9_000)
  expect(clock.isOver).toBe(false)
})

it('waits for a thread that gets a third of a processor, and for a disk not for ever', () => {
  const clock = start(10_000)
  for (let seconds = 0; seconds < 29; seconds += 1) {
    pass(1_000, 333)
    expect(clock.isOver).toBe(false)
  }
  for (let seconds = 0; seconds < 31; seconds += 1) {
    pass(1_000, 0)
    void clock.isOver
  }
  expect(clock.isOver).toBe(true)
})

it('does not count what the thread does meanwhile', async () => {
  const clock = start(10_000)
  await clock.during(async () => pass(50_000))
  expect(clock.isOver).toBe(false)
})

it('ends a message that takes two seconds, and begins the next one anew', () => {
  const clock = start(10_000)
  clock.beginMessage()
  pass(1_900)
  clock.check()
  clock.beginMessage()
  pass(1_900)
  clock.check()
  pass(200)
  expect(clock.check).toThrow(OutOfTime)
})
