import { expect, test } from 'vitest'
import { moveLog } from './recovered-log.ts'

const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)]
const moved = { projectHash: NEW, from: [OLD] }
const lines = (...records: (object | string)[]) =>
  records.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('')
const move = (text: string) => moveLog(Buffer.from(text), moved).toString()
const head = { sessionId: 's', projectHash: OLD, startTime: 't' }

test('a log keeps every line as it is but those that say whose it is', () => {
  const message = `{"id":"1", "type":"user","content":"\\"projectHash\\":\\"${OLD}\\"  é"}`
  const own = { id: '2', sessionId: 's', projectHash: OLD }
  const torn = '{"sessionId":"s","projectHash":"'
  const text = lines(head, message, own, { $set: { lastUpdated: 't' } }, { ...head, kind: 'main' }, torn)
  const placed = { sessionId: 's', projectHash: NEW, movedFrom: [OLD], startTime: 't' }
  expect(move(text)).toBe(
    lines(placed, message, own, { $set: { lastUpdated: 't' } }, { ...placed, kind: 'main' }, torn),
  )
  expect(move(text.trimEnd())).toBe(move(text).trimEnd())
})

test('what a log was moved from before gives way to the whole way', () => {
  const text = lines({ ...head, movedFrom: ['x'] }, { $set: { projectHash: OLD } })
  expect(move(text)).toBe(
    lines(
      { sessionId: 's', projectHash: NEW, movedFrom: [OLD], startTime: 't' },
      { $set: { projectHash: NEW } },
    ),
  )
})

test('a document is moved as a whole', () => {
  const text = JSON.stringify({ ...head, messages: [{ id: '1', content: OLD }] }, null, 2)
  const document = { sessionId: 's', projectHash: NEW, movedFrom: [OLD], startTime: 't' }
  expect(move(text)).toBe(JSON.stringify({ ...document, messages: [{ id: '1', content: OLD }] }, null, 2))
})
