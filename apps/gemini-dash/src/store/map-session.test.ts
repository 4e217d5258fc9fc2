import { messageQuerySchema } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { messageFixture, toolCallFixture } from '../../test/message-fixture.ts'
import { mapSession } from './map-session.ts'
import { messagePage } from './message-page.ts'

const text = (words: string) => [{ kind: 'text' as const, text: words }]
const thought = { subject: 'Looking', description: 'around', timestamp: null }

const map = (messages: Message[], drawnKeys: string[] | null = null) =>
  mapSession({ kind: 'main', files: [], messages, drawnKeys })

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
  const whole = map(messages)
  expect(whole.voices).toBe('pc-tain')
  expect(whole.marks).toBe('0100202')
  expect(whole.lines).toHaveLength(messages.length)
})

test('counts tell what each filter leaves of the whole', () => {
  expect(map(messages).counts).toEqual({
    dialogue: 2,
    errors: 1,
    edits: 0,
    shell: 0,
    thoughts: 2,
  })
})

test('what is folded away takes no lines, but what was compacted and what a buried session shows does', () => {
  const folded = map(messages).lines
  expect(folded[4]).toBe(0)
  expect(folded[6]).toBeGreaterThan(0)
  expect(map(messages, ['5']).lines[4]).toBeGreaterThan(30)
})

test('a failed call is drawn open, so it takes more lines than one that went well', () => {
  const lines = (failed: boolean) =>
    map([messageFixture({ toolCalls: [toolCallFixture({ failed })] })]).lines[0] ?? 0
  expect(lines(true)).toBeGreaterThan(3 * lines(false))
})

test('20,000 messages fit into 250 KB', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => messages[index % messages.length] ?? messages[0])
  const whole = map(many.filter((message) => message !== undefined))
  expect(JSON.stringify(whole).length).toBeLessThan(250_000)
})

test('C4: what the CLI dropped because its request failed takes its lines: nobody took it back', () => {
  const prompt = messageFixture({ key: 'p', type: 'user', origin: 'human', content: text('Mend it') })
  const error = messageFixture({ key: 'e', type: 'error', origin: 'cli', content: text('fetch failed') })
  const aborted = { ...prompt, superseded: 'aborted' as const }
  expect(map([aborted, error]).lines[0]).toBeGreaterThan(0)
  const cancelled = { ...error, type: 'info' as const, content: text('Request cancelled.') }
  expect(map([aborted, cancelled]).lines[0]).toBe(0)
})

test('C4: a prompt that nothing followed counts as failed, unless it is still being answered', () => {
  const waiting = messages.slice(0, 1)
  const session = { kind: 'main' as const, files: [], messages: waiting, drawnKeys: null }
  expect(mapSession(session)).toMatchObject({ marks: '1', counts: { errors: 1 } })
  expect(mapSession(session, true)).toMatchObject({ marks: '0', counts: { errors: 0 } })
  const query = messageQuerySchema.parse({ show: 'errors' })
  expect(messagePage(session, query).total).toBe(1)
  expect(messagePage(session, query, true).total).toBe(0)
})
