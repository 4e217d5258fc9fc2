import fc from 'fast-check'
import { messageSchema, type ParsedFile, parseSessionFile, sessionSummarySchema } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { stitchGroup } from '../../packages/gemini-sessions/src/derive/stitch.ts'
import { summarizeSession } from '../../packages/gemini-sessions/src/derive/summary.ts'
import { arbitraryLog } from '../../packages/gemini-sessions/test/arbitrary-log.ts'
import { readFixtureFiles } from '../../packages/gemini-sessions/test/session-files.ts'
import { damagedBytes } from './damaged-bytes.ts'
import { FUZZ_TIMEOUT, fuzz } from './keep-find.ts'

const LARGEST_BYTES = 60_000
const project = { key: 'k', name: 'shop', path: null }

const files = readFixtureFiles()
  .filter(({ bytes }) => bytes.length < LARGEST_BYTES)
  .map(({ bytes }) => Buffer.from(bytes))
const written = arbitraryLog.map(({ text }) => Buffer.from(text))
const record = fc.jsonValue({ maxDepth: 6 }).map((value) => Buffer.from(`${JSON.stringify(value)}\n`))

/** Expects a session or a reason in the documented form, and the same when parsed in two pieces. */
function holds(bytes: Buffer): void {
  for (const name of ['session-2026-11-21T20-30-11111111.jsonl', 'session-2026-11-21T20-30-11111111.json']) {
    const parsed = parseSessionFile({ path: `tmp/shop/chats/${name}`, bytes })
    const sessions = stitchGroup([{ home: '/home/u/.gemini', parsed }])
    expect(sessions.length).toBeGreaterThan(0)
    for (const session of sessions) {
      for (const message of session.messages) messageSchema.parse(message)
      const summary = summarizeSession(session, { project, priceCall: ({ usage }) => usage.total })
      sessionSummarySchema.parse(summary)
      expect(JSON.parse(JSON.stringify(session)).messages.length).toBe(session.messages.length)
    }
    expectUniqueKeys(parsed)
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
}

function expectUniqueKeys({ messages }: ParsedFile): void {
  expect(new Set(messages.map(({ key }) => key)).size).toBe(messages.length)
}

test(
  'R55: a session or a reason comes of any log, document or record, in the shape that is promised',
  FUZZ_TIMEOUT,
  async () => {
    await fuzz('logs', fc.oneof(damagedBytes(files), written, damagedRecords(), record), holds)
  },
)

function damagedRecords(): fc.Arbitrary<Buffer> {
  return written.chain((bytes) => damagedBytes([bytes]))
}
