import { describe, expect, test } from 'vitest'
import { answer, at, context, info, logFile, prompt, type Row } from '../../test/make-file.ts'
import { stitchGroup } from './stitch.ts'
import { findActivity } from './verdict.ts'

function activityOf(...rows: (Row | { $rewindTo: string })[]) {
  const [session] = stitchGroup([logFile({ start: 1 }, rows)])
  return findActivity(session?.messages ?? [])
}
const stateOf = (...rows: Row[]) => activityOf(...rows).state
const calling = (status: string) =>
  answer('c1', 2, {
    content: '',
    toolCalls: [{ id: 'c', name: 'read_file', args: {}, status, timestamp: at(2) }],
  })

describe('what the end of a log tells', () => {
  test('a prompt without an answer waits for the model', () => {
    expect(stateOf(answer('a1', 1), prompt('p1', 2))).toBe('asked')
  })

  test('an answer in words waits for the reader', () => {
    expect(stateOf(prompt('p1', 1), answer('a1', 2))).toBe('answered')
  })

  test('a call without a result, recorded or not, runs or waits for approval', () => {
    expect(stateOf(prompt('p1', 1), calling('executing'))).toBe('calling')
    expect(stateOf(prompt('p1', 1), answer('a1', 2, { content: '' }))).toBe('calling')
  })

  test('finished calls wait for the model again', () => {
    expect(stateOf(prompt('p1', 1), calling('error'))).toBe('asked')
  })

  test('what was taken back tells nothing, and notices only their time', () => {
    const rows = [prompt('p1', 1), answer('a1', 2), prompt('p2', 3), { $rewindTo: 'p2' }, info('n', 60)]
    expect(activityOf(...rows)).toEqual({ state: 'answered', since: at(60) })
  })

  test('a session of context alone is silent', () => {
    expect(stateOf(context(1))).toBe('silent')
    expect(findActivity([])).toEqual({ state: 'silent', since: null })
  })
})
