import { beforeEach, expect, it } from 'vitest'
import { HangWatch } from './hang-watch.ts'

let watch: HangWatch
const now = { nowMs: 0, beats: 1, workMs: 0 }
beforeEach(() => {
  watch = new HangWatch()
  Object.assign(now, { nowMs: 0, beats: 1, workMs: 0 })
  watch.look({ ...now })
})

/** Number of looks, half a second apart, with `workMs` of work each. Returns which of them found a hang. */
function look(times: number, { workMs = 0, beats = 0, stepMs = 500 } = {}): number | null {
  for (let at = 1; at <= times; at += 1) {
    now.nowMs += stepMs
    now.workMs += workMs
    now.beats += beats
    if (watch.look({ ...now })) return at
  }
  return null
}

it('R67: a loop that does not end is noticed after eight seconds', () => {
  expect(look(100, { workMs: 500 })).toBe(16)
})

it('R67: a loop that gets an eighth of a processor is noticed before it has worked for three seconds', () => {
  expect(look(100, { workMs: 62.5 })).toBe(32)
})

it('R67: a thread whose loop turns now and then is well, however much it works', () => {
  for (let minute = 0; minute < 10; minute += 1) {
    expect(look(15, { workMs: 500 })).toBeNull()
    expect(look(1, { beats: 1, workMs: 500 })).toBeNull()
  }
})

it('R67: a thread that waits for a disk, or for a processor that others have, is left alone', () => {
  expect(look(1_000)).toBeNull()
})

it('R67: a minute in which the process was suspended is one look that came late, and counts for nothing', () => {
  expect(look(15, { workMs: 500 })).toBeNull()
  expect(look(50, { stepMs: 60_000 })).toBeNull()
  expect(look(1, { beats: 1 })).toBeNull()
  expect(look(15, { workMs: 500 })).toBeNull()
})

it('R67: a thread that is still loading is not watched', () => {
  Object.assign(now, { beats: 0 })
  expect(look(1_000, { workMs: 500 })).toBeNull()
})
