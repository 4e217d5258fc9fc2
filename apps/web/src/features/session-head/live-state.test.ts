import type { Verdict } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { findRunEnd, runStateOf } from './session-head.tsx'

type Activity = NonNullable<Verdict['waits']>['state']

const ENDED: Verdict = {
  kind: 'apiError',
  text: 'API error: 429',
  about: null,
  messageKey: null,
  waits: null,
  open: null,
}
const waiting = (state: Activity): Verdict => ({
  ...ENDED,
  kind: 'running',
  text: state,
  waits: { state, since: null, call: null },
})

describe('what a reader who is elsewhere is told', () => {
  const told = (before: Verdict, now: Verdict) =>
    findRunEnd(runStateOf({ verdict: before }), runStateOf({ verdict: now }))

  test('that it waits for them, once', () => {
    expect(told(waiting('calling'), waiting('answered'))).toBe('answered')
    expect(told(waiting('answered'), waiting('answered'))).toBeNull()
  })

  test('how the run ended, once', () => {
    expect(told(waiting('asked'), ENDED)).toBe('API error: 429')
    expect(told(ENDED, ENDED)).toBeNull()
  })

  test('nothing while it goes on', () => {
    expect(told(waiting('asked'), waiting('calling'))).toBeNull()
    expect(told(ENDED, waiting('asked'))).toBeNull()
  })
})
