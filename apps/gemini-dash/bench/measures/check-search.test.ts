import type { SearchHit } from '@gemini-dash/api'
import { describe, expect, test } from 'vitest'
import { checkCounted, checkNeedle, checkNothing } from './check-search.ts'

const needle = {
  kind: 'word',
  text: 'needle000004x',
  query: 'needle000004x',
  mode: 'words',
  field: 'prompt',
  sessionId: 's1',
  messageId: 'm1',
  startTime: '2026-01-01T00:00:00.000Z',
} as const

const hit = (over: Partial<SearchHit> = {}): SearchHit => ({
  sessionKey: 'key',
  messageKey: 'm1',
  messageId: 'm1',
  field: 'prompt',
  snippet: needle.text,
  ranges: [[0, 13]],
  timestamp: null,
  toolName: null,
  superseded: false,
  ...over,
})
const found = (...hits: SearchHit[]) => ({ hits, total: hits.length, messageTotal: hits.length })

describe('a needle', () => {
  test('is in its message and field, and may be in the title as well', () => {
    expect(checkNeedle(needle, found(hit()))).toEqual([])
    expect(checkNeedle(needle, found(hit(), hit({ field: 'title', messageId: null })))).toEqual([])
  })

  test.each([
    ['missing', found(), 'not found in prompt of session s1'],
    ['in the title only', found(hit({ field: 'title' })), 'not found'],
    ['in another message', found(hit({ messageId: 'm2' })), 'found in prompt of message m2'],
    ['in another field', found(hit({ field: 'answer' })), 'found in answer of message m1'],
    ['there twice', found(hit(), hit({ messageId: 'm2' })), '2 hits, not 1'],
    ['one of more than were sent', { ...found(hit()), total: 3 }, '3 hits, not 1'],
  ])('that is %s is a problem', (_, answer, problem) => {
    expect(checkNeedle(needle, answer).join()).toContain(problem)
  })
})

test('a count is the count of the manifest, or a problem', () => {
  const query = { kind: 'common', query: 'harbour', messages: 2 } as const
  expect(checkCounted(query, found(hit(), hit()))).toEqual([])
  expect(checkCounted(query, found(hit()))).toEqual(['harbour: 1 messages, not 2'])
})

test('where nothing is, any hit is a problem', () => {
  expect(checkNothing('zyzzyva', found())).toEqual([])
  expect(checkNothing('zyzzyva', found(hit()))).toEqual(['zyzzyva: 1 hits, not 0'])
})
