import { describe, expect, test } from 'vitest'
import { describeActivity } from './describe-activity.ts'
import { findRunEnd, type RunState } from './find-run-end.ts'

const NOW = new Date('2026-11-21T20:40:00.000Z')
const JUST_NOW = '2026-11-21T20:39:50.000Z'
const running = { live: true, ended: null }

describe('what a session waits for', () => {
  test('is said by the end of its log', () => {
    const words = (['asked', 'calling', 'answered'] as const).map(
      (state) => describeActivity(running, { state, since: JUST_NOW }, NOW)?.words,
    )
    expect(words).toEqual([
      'waiting for the model',
      'a tool runs or waits for your approval',
      'waiting for you',
    ])
  })

  test('is not said of a session that ended, that nobody spoke in, or that was left long ago', () => {
    expect(
      describeActivity({ live: true, ended: 'error' }, { state: 'asked', since: JUST_NOW }, NOW),
    ).toBeNull()
    expect(describeActivity(running, { state: 'silent', since: null }, NOW)).toBeNull()
    const left = { state: 'calling', since: '2026-11-21T19:39:00.000Z' } as const
    expect(describeActivity({ live: false, ended: null }, left, NOW)).toBeNull()
  })

  test('is still said of a run that has been quiet for some minutes: it may wait for approval', () => {
    const quiet = { state: 'calling', since: '2026-11-21T20:20:00.000Z' } as const
    expect(describeActivity({ live: false, ended: null }, quiet, NOW)).not.toBeNull()
  })
})

describe('what a reader who is elsewhere is told', () => {
  const at = (state: RunState['state'], ended: RunState['ended'] = null): RunState => ({ state, ended })

  test('that the model answered, once', () => {
    expect(findRunEnd(at('calling'), at('answered'))).toBe('The model answered.')
    expect(findRunEnd(at('answered'), at('answered'))).toBeNull()
  })

  test('that the run failed or was stopped, once', () => {
    expect(findRunEnd(at('asked'), at('asked', 'error'))).toBe('The run ended with an error.')
    expect(findRunEnd(at('asked'), at('answered', 'stopped'))).toBe('The run was stopped.')
    expect(findRunEnd(at('asked', 'error'), at('asked', 'error'))).toBeNull()
  })

  test('nothing while it goes on', () => {
    expect(findRunEnd(at('asked'), at('calling'))).toBeNull()
    expect(findRunEnd(at('asked', 'error'), at('asked'))).toBeNull()
  })
})
