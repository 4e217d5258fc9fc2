import { MAX_FIELD_BYTES } from '@gemini-dash/api'
import { type Message, messageSchema } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { cutMark } from '../../../../packages/gemini-sessions/src/parse/json/bytes.ts'
import { messageFixture, toolCallFixture } from '../../test/message-fixture.ts'
import { cutForWire } from './cut-for-wire.ts'

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

  it('says of a picture how large it is, so that a page can keep room for it', () => {
    const sizeOf = (data: string) =>
      cut(messageFixture({ content: [{ ...IMAGE, data, sizeBytes: data.length }] })).content.map((part) =>
        part.kind === 'image' ? part.pixelSize : undefined,
      )
    expect(sizeOf(pngOf(640, 480))).toEqual([{ width: 640, height: 480 }])
    // Only the header is read.
    expect(sizeOf(pngOf(640, 480) + 'A'.repeat(4_000_000))).toEqual([{ width: 640, height: 480 }])
    expect(sizeOf(jpegOf(640, 480))).toEqual([{ width: 640, height: 480 }])
    // Portrait orientation: the browser rotates it.
    expect(sizeOf(jpegOf(640, 480, 6))).toEqual([{ width: 480, height: 640 }])
    for (const none of ['', 'aGk=', '!!!', pngOf(0, 480), pngOf(640, 480).slice(0, 12)])
      expect(sizeOf(none), none).toEqual([null])
  })

  it('B11: says how large a value is of which not even the reader holds all, and where its record is', () => {
    const beginning = `${LONG}${cutMark(1_000_000_000, '200003 bytes')}`
    const raw = { sizeBytes: 1_000_000_000, href: '/api/sessions/sess/messages/m1/raw' }
    const result = cut(
      messageFixture({
        content: [{ kind: 'text', text: beginning }],
        toolCalls: [
          toolCallFixture({ args: { list: [1, beginning] }, output: { kind: 'unknown', json: beginning } }),
          toolCallFixture({ args: JSON.stringify({ text: LONG, '…': cutMark(1_000_000_000, '1 fields') }) }),
        ],
      }),
    )
    const [first, second] = result.toolCalls
    expect(result.content[0]).toMatchObject({
      cut: { sizeBytes: Buffer.byteLength(beginning), href: '/api/sessions/sess/messages/m1/parts/0', raw },
    })
    expect(first?.cut?.raw?.sizeBytes).toBeGreaterThanOrEqual(1_000_000_000)
    expect(first?.output).toMatchObject({ cut: { raw: { href: raw.href } } })
    expect(second?.cut?.raw?.sizeBytes).toBeGreaterThanOrEqual(1_000_000_000)
  })

  it('names pictures by their address instead of carrying them', () => {
    expect(cut(messageFixture({ content: [IMAGE] })).content).toEqual([
      { ...IMAGE, data: null, href: '/api/sessions/sess/messages/m1/parts/0', pixelSize: null },
    ])
  })
})

const IMAGE = {
  kind: 'image',
  mimeType: 'image/png',
  data: 'aGk=',
  uri: null,
  sizeBytes: 2,
  href: null,
} as const

/** The header of a PNG: signature and IHDR. */
function pngOf(width: number, height: number): string {
  const head = Buffer.alloc(33)
  head.write('\x89PNG\r\n\x1a\n', 'latin1')
  head.writeUInt32BE(13, 8)
  head.write('IHDR', 12)
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head.toString('base64')
}

/** The header of a JPEG, with an EXIF block that contains the orientation. */
function jpegOf(width: number, height: number, orientation?: number): string {
  const exif = Buffer.from('45786966000049492a0008000000010012010300010000000000000000000000', 'hex')
  if (orientation !== undefined) exif.writeUInt16LE(orientation, 24)
  const frame = Buffer.from('08000000000301110002110103110100', 'hex')
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    ...(orientation === undefined ? [segment(0xe0, Buffer.from('4a46494600010100000100010000', 'hex'))] : []),
    ...(orientation === undefined ? [] : [segment(0xe1, exif)]),
    segment(0xc0, frame),
  ]).toString('base64')
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

function longestText(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (value === null || typeof value !== 'object') return 0
  return Math.max(0, ...Object.values(value).map(longestText))
}
