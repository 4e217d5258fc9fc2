import { expect, it } from 'vitest'
import { SessionLogReader } from '../../src/index.ts'
import { answer, at, prompt, SESSION_ID } from '../make-file.ts'

const PIECE_BYTES = 64 * 1024

it('a log of 804 messages with a line of 3 MB among them is read whole, piece by piece', () => {
  const text = 'ü'.repeat(1_500_000)
  const messages = Array.from({ length: 402 }, (_, index) => [
    prompt(`u${index}`, index, index === 200 ? text : undefined),
    answer(`g${index}`, index),
  ]).flat()
  const metadata = {
    sessionId: SESSION_ID,
    projectHash: 'a'.repeat(64),
    startTime: at(0),
    lastUpdated: at(0),
  }
  const lines = [metadata, ...messages].map((record) => `${JSON.stringify(record)}\n`)
  const parsed = readInPieces(new TextEncoder().encode(lines.join('')))
  expect(parsed.issues).toEqual([])
  expect(parsed.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
  const [part] = parsed.messages[400]?.content ?? []
  expect(part?.kind === 'text' && part.text === text).toBe(true)
})

it('a document of 12 MB on one line is read whole', () => {
  const messages = Array.from({ length: 40 }, (_, index) => prompt(`u${index}`, index, 'x'.repeat(300_000)))
  const document = { sessionId: SESSION_ID, projectHash: 'a'.repeat(64), startTime: at(0), messages }
  const parsed = readInPieces(new TextEncoder().encode(JSON.stringify(document)))
  expect(parsed.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
})

function readInPieces(bytes: Uint8Array) {
  const reader = new SessionLogReader('tmp/shop/chats/session-2026-11-21T20-00-11111111.jsonl')
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    reader.append(bytes.subarray(start, start + PIECE_BYTES))
  }
  return reader.result()
}
