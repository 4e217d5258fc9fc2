import type { SearchHit } from '@gemini-dash/api'
import { expect, test } from 'vitest'
import { groupHits } from './result.tsx'

test('hits of a session stand together, sessions in the order of their first hit', () => {
  const groups = groupHits([hit('b', 'm1'), hit('a', 'm1'), hit('b', 'm2')])
  expect(groups.map((group) => [group.sessionKey, group.hits.map((it) => it.messageKey)])).toEqual([
    ['b', ['m1', 'm2']],
    ['a', ['m1']],
  ])
})

function hit(sessionKey: string, messageKey: string): SearchHit {
  return {
    sessionKey,
    messageKey,
    messageId: messageKey,
    field: 'answer',
    snippet: 'x',
    ranges: [],
    timestamp: null,
    toolName: null,
    superseded: false,
  }
}
