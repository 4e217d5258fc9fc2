import { MAX_FIELD_BYTES } from '@gemini-dash/api'
import { type Message, messageSchema } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { cutForWire } from './cut-for-wire.ts'
import { messageFixture, toolCallFixture } from './message-fixture.ts'

const LONG = `${'x'.repeat(200_000)}end`
const cut = (message: Message) => messageSchema.parse(cutForWire(message, 'sess'))

describe('a message on its way to the page', () => {
  it('is left alone when nothing in it is long', () => {
    const message = messageFixture({
      content: [{ kind: 'text', text: 'Done.' }],
      toolCalls: [toolCallFixture({ args: { path: 'a.js' }, output: { kind: 'text', text: '34 lines' } })],
    })
    expect(cut(message)).toEqual(message)
  })

  it('carries no text over 64 KB, wherever it stands, and says how large the whole is and where', () => {
    const message = messageFixture({
      content: [{ kind: 'text', text: LONG }],
      attachments: [{ path: 'a.js', text: LONG }],
      thoughts: [{ subject: 'Long', description: LONG, timestamp: null }],
      toolCalls: [
        toolCallFixture({
          args: { content: LONG, nested: [{ deep: LONG }] },
          output: { kind: 'text', text: LONG },
          display: {
            kind: 'diff',
            fileName: 'a.js',
            filePath: null,
            fileDiff: LONG,
            originalContent: LONG,
            newContent: null,
            linesAdded: 1,
            linesRemoved: 0,
            isNewFile: false,
            isRebuilt: false,
          },
        }),
        toolCallFixture({ output: { kind: 'unknown', json: { odd: LONG } } }),
        toolCallFixture({
          output: {
            kind: 'list',
            summary: '',
            files: Array.from({ length: 9000 }, () => 'src/some-file.ts'),
            skipped: [],
          },
        }),
      ],
    })
    const result = cut(message)
    expect(longestText(result)).toBeLessThanOrEqual(MAX_FIELD_BYTES)
    expect(result.content[0]).toMatchObject({
      cut: { sizeBytes: 200_003, href: '/api/sessions/sess/messages/m1/parts/0' },
    })
    expect(result.toolCalls[0]?.output).toMatchObject({ cut: { sizeBytes: 200_003 } })
    expect(result.toolCalls[0]?.display).toMatchObject({
      cut: { sizeBytes: 400_006, href: '/api/sessions/sess/tool-calls/call-1/output?of=display' },
    })
    expect(result.toolCalls[0]?.cut).toMatchObject({ href: '/api/sessions/sess/messages/m1/raw' })
    expect(result.toolCalls[1]?.output).toHaveProperty('cut')
    expect(result.toolCalls[2]?.output).toHaveProperty('cut')
    expect(result.attachments[0]).toHaveProperty('cut')
    expect(result.thoughts[0]).toHaveProperty('cut')
  })

  it('never splits a character', () => {
    const result = cut(messageFixture({ content: [{ kind: 'text', text: `x${'料'.repeat(60_000)}` }] }))
    expect(JSON.stringify(result)).not.toContain('\ufffd')
  })

  it('names pictures by their address instead of carrying them', () => {
    const image = {
      kind: 'image',
      mimeType: 'image/png',
      data: 'aGk=',
      uri: null,
      sizeBytes: 2,
      href: null,
    } as const
    expect(cut(messageFixture({ content: [image] })).content).toEqual([
      { ...image, data: null, href: '/api/sessions/sess/messages/m1/parts/0' },
    ])
  })
})

function longestText(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (value === null || typeof value !== 'object') return 0
  return Math.max(0, ...Object.values(value).map(longestText))
}
