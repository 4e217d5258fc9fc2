import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryLog } from '../../../test/arbitrary-log.ts'
import { parseSessionFile, SessionLogReader } from '../session-file.ts'
import { LiftedEntries } from './lift.ts'

const METADATA = { sessionId: 's', projectHash: 'p', startTime: '2026-11-21T20:30:00.000Z', kind: 'main' }
const MANUAL = 'Runs a query against the configured database and returns all of its rows.'
const MASK = '<tool_output_masked>\nOutput too large.\n</tool_output_masked>'

const callId = fc.constantFrom('c1', 'c2', '')
const messageId = fc.constantFrom('a', 'b', 'c', 'd')
const output = fc.constantFrom('of a tool', 'of another', MASK)
const response = fc.record({
  id: callId,
  name: fc.constantFrom('glob', 'sql'),
  response: fc.record({ output }),
})
const call = fc.record(
  {
    id: callId,
    name: fc.constantFrom('glob', 'sql', 'delegate_to_agent'),
    args: fc.record({ query: fc.constantFrom('one', 'two') }),
    description: fc.constant(MANUAL),
    status: fc.constantFrom('success', 'error', 'new to us'),
    result: response.map((functionResponse) => [{ functionResponse }]),
    unknownField: fc.constant(1),
  },
  { requiredKeys: ['id', 'name', 'args'] },
)
const part = fc.oneof(
  fc.constantFrom<unknown>(
    { text: 'Please continue.' },
    { text: 'Your task is to do a deep investigation of the codebase to find it' },
    { hologram: 1 },
    'a text',
  ),
  fc.constantFrom({ text: '[Function Response: glob]of a tool[Function Response: sql]of another' }),
  response.map((functionResponse) => ({ functionResponse })),
  call.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
  fc.constant({ inlineData: { mimeType: 'image/png', data: 'AAA=' } }),
)
const message = fc.record(
  {
    id: messageId,
    type: fc.constantFrom('user', 'gemini', 'gemini', 'info', 'new to us'),
    timestamp: fc.constantFrom('2026-11-21T20:30:00.000Z', '2026-11-21T20:30:02.000Z', 'yesterday'),
    content: fc.oneof(fc.array(part, { maxLength: 3 }), fc.constantFrom('', 'words', 'Please continue.')),
    toolCalls: fc.array(call, { maxLength: 2 }),
    tokens: fc.constantFrom({ input: 5, output: 1, total: 6 }, { input: 0, output: 0, total: 0 }),
    model: fc.constant('gemini-3-pro'),
    strange: fc.constant(true),
  },
  { requiredKeys: ['id', 'type'] },
)
/** Many of them affect earlier messages: results, masks, manuals, lists, patches, the kind of file. */
const record = fc.oneof(
  { weight: 8, arbitrary: message as fc.Arbitrary<unknown> },
  fc.array(message, { maxLength: 4 }).map((messages) => ({ $set: { messages } })),
  messageId.map(($rewindTo) => ({ $rewindTo })),
  fc.constantFrom<unknown>({ $set: { kind: 'subagent' } }, { $set: { kind: 'main' } }, { ...METADATA }),
  fc
    .record({
      id: messageId,
      content: fc.constantFrom<unknown>('patched', null),
      toolCalls: fc.array(call, { maxLength: 1 }),
      removeIds: fc.array(messageId, { maxLength: 1 }),
      orderIds: fc.array(messageId, { maxLength: 2 }),
    })
    .map(({ removeIds, orderIds, ...update }) => ({ $patch: { updates: [update], removeIds, orderIds } })),
)
const logOfTools = fc
  .array(record, { minLength: 1, maxLength: 14 })
  .map((records) => `${[METADATA, ...records].map((each) => JSON.stringify(each)).join('\n')}\n`)
const logs = fc.oneof(
  logOfTools,
  arbitraryLog.map(({ text }) => text),
)

describe('messages of a log that grows', () => {
  it('A3: are after each line what a fresh reading makes of them, and nobody changes those of before', () => {
    fc.assert(
      fc.property(logs, (text) => {
        const path = 'tmp/shop/chats/session-2026-11-21T20-30-11111111.jsonl'
        const reader = new SessionLogReader(path, null, new LiftedEntries())
        let read = ''
        for (const line of text.split(/(?<=\n)/)) {
          reader.append(new TextEncoder().encode(line))
          read += line
          const fresh = parseSessionFile({ path, bytes: new TextEncoder().encode(read) })
          expect(freeze(reader.result()), read).toEqual(fresh)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('A3: with more unknown names than are noted, are counted as in a fresh reading', () => {
    const names = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]))
    const rows = [names('x', 60), names('y', 150), names('x', 150)].map((fields, index) => ({
      id: String(index),
      type: 'user',
      content: 'words',
      ...fields,
    }))
    const reader = new SessionLogReader('a.jsonl', null, new LiftedEntries())
    let read = ''
    for (const row of [METADATA, ...rows, ...rows]) {
      const line = `${JSON.stringify(row)}\n`
      reader.append(new TextEncoder().encode(line))
      read += line
      const fresh = parseSessionFile({ path: 'a.jsonl', bytes: new TextEncoder().encode(read) })
      expect(reader.result()).toEqual(fresh)
    }
  })
})

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
  return value
}
