import { expect, test } from 'vitest'
import { mapSession } from './map-session.ts'
import { messageFixture, toolCallFixture } from './message-fixture.ts'

const text = (words: string) => [{ kind: 'text' as const, text: words }]
const thought = { subject: 'Looking', description: 'around', timestamp: null }

const messages = [
  messageFixture({ key: '1', type: 'user', origin: 'human', content: text('Mend it') }),
  messageFixture({ key: '2', thoughts: [thought], toolCalls: [toolCallFixture({ failed: true })] }),
  messageFixture({ key: '3', type: 'user', origin: 'tool-result' }),
  messageFixture({ key: '4', thoughts: [thought] }),
  messageFixture({ key: '5', content: text('Done. '.repeat(500)), superseded: 'rewound' }),
  messageFixture({ key: '6', type: 'user', origin: 'injected', content: text('context') }),
  messageFixture({ key: '7', type: 'info', origin: 'cli', content: text('Bye'), superseded: 'compacted' }),
]

test('every message has one letter, one digit and one number of lines', () => {
  const map = mapSession(messages, null)
  expect(map.voices).toBe('pc-tain')
  expect(map.marks).toBe('0100202')
  expect(map.lines).toHaveLength(messages.length)
})

test('counts tell what each filter leaves of the whole', () => {
  expect(mapSession(messages, null).counts).toEqual({
    dialogue: 2,
    errors: 1,
    edits: 0,
    shell: 0,
    thoughts: 2,
  })
})

test('what is folded away takes no lines, but what was compacted and what a buried session shows does', () => {
  const folded = mapSession(messages, null).lines
  expect(folded[4]).toBe(0)
  expect(folded[6]).toBeGreaterThan(0)
  expect(mapSession(messages, ['5']).lines[4]).toBeGreaterThan(30)
})

test('a failed call is drawn open, so it takes more lines than one that went well', () => {
  const lines = (failed: boolean) =>
    mapSession([messageFixture({ toolCalls: [toolCallFixture({ failed })] })], null).lines[0] ?? 0
  expect(lines(true)).toBeGreaterThan(3 * lines(false))
})

test('20,000 messages fit into 250 KB', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => messages[index % messages.length] ?? messages[0])
  const map = mapSession(
    many.filter((message) => message !== undefined),
    null,
  )
  expect(JSON.stringify(map).length).toBeLessThan(250_000)
})
