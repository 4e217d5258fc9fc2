import type { TimelineStep } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { describeLook } from '../lib/session-words.ts'
import { stepSentence } from './timeline.tsx'

test('one of a thing is told as one', () => {
  const thought = { atMs: 1, subject: 'Weighing' }
  const step = { kind: 'model', sinceMs: 0, atMs: 0, measured: null, detail: '', failed: false }
  const said = (thoughts: object[]) => stepSentence({ ...step, thoughts } as unknown as TimelineStep, '20:31')
  expect(said([thought])).toBe('20:31, Gemini, 1 thought')
  expect(said([thought, thought])).toBe('20:31, Gemini, 2 thoughts')
  const look = { sessions: 0, rawBytes: 0, storedBytes: 0, goneBytes: 0 }
  const running = { waiting: false, done: 0, total: 1 }
  expect(describeLook({ ...look, running })).toBe('Archiving 0 of 1 changed file…')
})
