import { messagePageSchema, messageQuerySchema } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { messageFixture } from '../../test/message-fixture.ts'
import { messagePage } from './message-page.ts'
import { rawRecord } from './raw-record.ts'
import { read } from './written-messages.ts'

const messages = Array.from({ length: 10 }, (_, n) =>
  messageFixture({ key: `m${n}`, superseded: n % 5 === 4 ? 'rewound' : null }),
)
const whole = (messages: Message[]) => ({ kind: 'main' as const, files: [], messages })
const page = (query: Record<string, unknown>) =>
  messagePageSchema.parse({
    partial: false,
    ...messagePage(whole(messages), messageQuerySchema.parse(query)),
    state: 'now',
  })

describe('a page of messages', () => {
  it('follows offset and limit and names the next', () => {
    const first = page({ limit: 4 })
    expect(first.messages.map(({ key }) => key)).toEqual(['m0', 'm1', 'm2', 'm3'])
    expect(first).toMatchObject({ offset: 0, total: 10, nextOffset: 4 })
    expect(page({ offset: 8, limit: 4 })).toMatchObject({ total: 10, nextOffset: null })
    expect(page({ offset: 99 })).toMatchObject({ messages: [], nextOffset: null })
  })

  it('leaves superseded messages out when asked, of page and count alike', () => {
    expect(page({ superseded: 'exclude' })).toMatchObject({ total: 8 })
  })

  it('is the page around a message, which then stands at about a third', () => {
    const around = page({ around: 'm6', limit: 3 })
    expect(around.offset).toBe(5)
    expect(around.messages.map(({ key }) => key)).toEqual(['m5', 'm6', 'm7'])
    expect(page({ around: 'nobody', limit: 3 }).offset).toBe(0)
  })
})

describe('the raw record of a message', () => {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const rawOf = (...args: Parameters<typeof rawRecord>) => read(rawRecord(...args))
  const message = (id: string, source: Message['source']) => messageFixture({ id, source })

  it('is the line of a log, or the row inside a rewritten conversation', () => {
    const row = { id: 'a', content: 'one' }
    expect(rawOf(message('a', { file: 'f', line: 2 }), bytes(row))).toEqual({
      file: 'f',
      line: 2,
      index: null,
      record: row,
    })
    const rewrite = bytes({ $set: { messages: [{ id: 'a' }, { id: 'b' }] } })
    expect(rawOf(message('b', { file: 'f', line: 3, index: 1 }), rewrite).record).toEqual({ id: 'b' })
    expect(rawOf(message('a', { file: 'f', line: 3 }), rewrite).record).toEqual({ id: 'a' })
  })

  it('is the text of a line that is not JSON', () => {
    const text = new TextEncoder().encode('{bad')
    expect(rawOf(message('', { file: 'f', line: 4 }), text).record).toBe('{bad')
  })

  it('is the row of a document, whether it comes alone or in it', () => {
    const expected = { file: 'f', line: null, index: 1, record: { id: 'b' } }
    const document = { sessionId: 's', messages: [{ id: 'a' }, { id: 'b' }] }
    expect(rawOf(message('b', { file: 'f', index: 1 }), bytes(document))).toEqual(expected)
    expect(rawOf(message('b', { file: 'f', index: 1 }), bytes({ id: 'b' }))).toEqual(expected)
  })
})

it('a filter pages through what fits, and says where each stands in the whole', () => {
  const list = Array.from({ length: 30 }, (_, index) =>
    messageFixture({ key: `k${index}`, type: index % 3 === 0 ? 'error' : 'info', origin: 'cli' }),
  )
  const query = messageQuerySchema.parse({ show: 'errors', offset: 2, limit: 3 })
  const page = messagePage(whole(list), query)
  expect(page.messages.map(({ key }) => key)).toEqual(['k6', 'k9', 'k12'])
  expect(page).toMatchObject({ offset: 2, total: 10, nextOffset: 5, positions: [6, 9, 12] })
  const around = messagePage(
    whole(list),
    messageQuerySchema.parse({ show: 'errors', around: 'k27', limit: 3 }),
  )
  expect(around.messages.map(({ key }) => key)).toEqual(['k24', 'k27'])
})
