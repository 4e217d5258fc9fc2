import { messagePageSchema, messageQuerySchema } from '@gemini-dash/api'
import { describe, expect, it } from 'vitest'
import { messageFixture } from './message-fixture.ts'
import { messagePage } from './message-page.ts'
import { rawRecord } from './raw-record.ts'

const messages = Array.from({ length: 10 }, (_, n) =>
  messageFixture({ key: `m${n}`, superseded: n % 5 === 4 ? 'rewound' : null }),
)
const page = (query: Record<string, unknown>) =>
  messagePageSchema.parse(messagePage(messages, 'sess', messageQuerySchema.parse(query)))

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
  const bytes = (text: string) => new TextEncoder().encode(text)
  const log = bytes(
    [
      '{"sessionId":"s"}',
      '{"id":"a","content":"one"}',
      '{"$set":{"messages":[{"id":"a"},{"id":"b"}]}}',
      '{bad',
    ].join('\n'),
  )

  it('is the line of a log, or the row inside a rewritten conversation', () => {
    expect(rawRecord({ file: 'f', line: 2 }, 'a', log)).toEqual({
      file: 'f',
      line: 2,
      index: null,
      record: { id: 'a', content: 'one' },
    })
    expect(rawRecord({ file: 'f', line: 3, index: 1 }, 'b', log).record).toEqual({ id: 'b' })
    expect(rawRecord({ file: 'f', line: 3 }, 'a', log).record).toEqual({ id: 'a' })
  })

  it('is the text of a line that is not JSON', () => {
    expect(rawRecord({ file: 'f', line: 4 }, '', log).record).toBe('{bad')
  })

  it('is the row of a whole-file record', () => {
    const file = bytes(JSON.stringify({ sessionId: 's', messages: [{ id: 'a' }, { id: 'b' }] }, null, 2))
    expect(rawRecord({ file: 'f', index: 1 }, 'b', file)).toEqual({
      file: 'f',
      line: null,
      index: 1,
      record: { id: 'b' },
    })
  })
})
