import { expect, test } from 'vitest'
import { PredictedHome } from '../stand-in/predicted-home.ts'
import { StandIn } from '../stand-in/stand-in.ts'
import { findDifferences } from './find-differences.ts'
import { lostMessages } from './lost-messages.ts'
import { withoutLookingOn } from './without-looking-on.ts'

test('a difference is told with its path, however deep, and so is what only one side has', () => {
  const fresh = { rows: [{ key: 'a', counts: { prompts: 2 } }], found: { total: 3 } }
  const seen = { rows: [{ key: 'a', counts: { prompts: 1 } }, { key: 'b' }], found: { total: 3 } }
  expect(findDifferences(seen, fresh)).toEqual([
    '.rows.0.counts.prompts: 1, a fresh start says 2',
    '.rows.1: {"key":"b"}, a fresh start says nothing',
  ])
  expect(findDifferences(fresh, structuredClone(fresh))).toEqual([])
})

test('of what only lookers-on know nothing is compared, and of all else everything', () => {
  const row = (live: boolean, title: string) => ({
    live,
    title,
    failures: { unanswered: live ? 0 : 1, tools: 2 },
  })
  const facets = (...values: string[]) => ({ is: values.map((value) => ({ value, count: 1 })) })
  const found = (total: number) => ({ 'is:error': { total } })
  const seen = { rows: [row(true, 'a')], found: found(1), facets: facets('live', 'superseded') }
  const compare = (title: string) =>
    findDifferences(
      withoutLookingOn(seen),
      withoutLookingOn({ rows: [row(false, title)], found: found(2), facets: facets('error', 'superseded') }),
    )
  expect(compare('a')).toEqual([])
  expect(compare('b')).toHaveLength(1)
})

test('the stand-in makes the same steps for the same seed, of every kind, and others for another', () => {
  const steps = (seed: number) => {
    const textPlaceholder = new StandIn(seed, 0.02)
    return Array.from({ length: 1_500 }, () => textPlaceholder.next())
  }
  expect(JSON.stringify(steps(7))).toBe(JSON.stringify(steps(7)))
  expect(JSON.stringify(steps(7))).not.toBe(JSON.stringify(steps(8)))
  expect(new Set(steps(7).map(({ name }) => name)).size).toBeGreaterThan(18)
  expect(steps(7).some(({ torn }) => torn !== null)).toBe(true)
})

test('whoever follows the steps knows every whole record, also behind a torn one, and no torn one', () => {
  const path = 'tmp/shop/chats/session-2026-11-21T20-30-11111111.jsonl'
  const home = new PredictedHome()
  const append = (text: string, share: number | null = null) =>
    home.add({
      name: 'a step',
      operations: [{ kind: 'append', path, text }],
      torn: share === null ? null : { operation: 0, share },
    })
  append('{"sessionId":"s","projectHash":"p"}\n')
  append('{"id":"a","type":"user","content":"torn in the midst of its text"}\n', 0.7)
  append('{"id":"b","type":"user","content":"whole"}\n')
  append('{"$set":{"messages":[{"id":"c","type":"user"}]}}\n')
  expect([...home.recorded()]).toEqual([['s', new Set(['b', 'c'])]])
  const answers = {
    rows: [{ sessionId: 's', key: 'k' }],
    sessions: { k: { messages: [{ id: 'c' }] } },
  } as unknown as Parameters<typeof lostMessages>[0]
  expect(lostMessages(answers, home.recorded())).toEqual([
    'message b of session s is on the disk and in no answer',
  ])
})
