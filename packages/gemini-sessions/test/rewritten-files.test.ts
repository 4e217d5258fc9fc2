import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Message, type ParsedFile, parseSessionFile, SessionLogReader } from '../src/index.ts'
import { findHomes, GrowingSessionGroup, scanHomes } from '../src/node/index.ts'
import { arbitraryLog } from './arbitrary-log.ts'
import { readFixtureFiles } from './session-files.ts'

// Session files rewritten by another program: as UTF-16 (PowerShell), or with each record over several lines (jq, editors).

const FILES = readFixtureFiles().filter(({ bytes }) => bytes.length < 200_000)
const LOGS = FILES.filter(({ path }) => path.endsWith('.jsonl'))
const ENCODINGS = [
  ['UTF-16 with a byte order mark', { isBig: false, hasMark: true }],
  ['UTF-16 without one', { isBig: false, hasMark: false }],
  ['big-endian UTF-16 with a byte order mark', { isBig: true, hasMark: true }],
  ['big-endian UTF-16 without one', { isBig: true, hasMark: false }],
] as const

function utf16(text: string, { isBig, hasMark }: { isBig: boolean; hasMark: boolean }): Uint8Array {
  const bytes = Buffer.from(hasMark ? `\uFEFF${text}` : text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
const bytesOf = (text: string) => new TextEncoder().encode(text)
const codes = ({ issues }: ParsedFile) => issues.map(({ code }) => code)

/** Each record over several lines; invalid JSON is unchanged. */
function formatted(text: string, newline = '\n'): string {
  return text
    .split('\n')
    .map((line) => {
      try {
        return JSON.stringify(JSON.parse(line), null, 2).replaceAll('\n', newline)
      } catch {
        return line
      }
    })
    .join(newline)
}

/** Without the position of a message in its file. */
function withoutPlace(messages: readonly Message[]): unknown[] {
  return messages.map((message) => ({ ...message, source: { index: message.source.index } }))
}

function expectSame(rewritten: ParsedFile, original: ParsedFile): void {
  expect(withoutPlace(rewritten.messages)).toEqual(withoutPlace(original.messages))
  expect(rewritten.header).toEqual(original.header)
  expect([rewritten.isDamaged, rewritten.buried, rewritten.isStub]).toEqual([
    original.isDamaged,
    original.buried,
    original.isStub,
  ])
}

describe.each(ENCODINGS)('T10: %s', (_, form) => {
  it('is read as UTF-8 is, and says so', () => {
    for (const { path, bytes } of FILES.filter((__, index) => index % 4 === 0)) {
      const original = parseSessionFile({ path, bytes })
      const rewritten = parseSessionFile({ path, bytes: utf16(textOf(bytes), form) })
      expectSame(rewritten, original)
      const isTold = original.messages.length > 0
      expect(codes(rewritten)).toEqual([...(isTold ? ['utf-16'] : []), ...codes(original)])
    }
  })

  it('is read the same in any pieces', () => {
    fc.assert(
      fc.property(arbitraryLog, fc.array(fc.nat(60), { maxLength: 12 }), ({ text }, sizes) => {
        const bytes = utf16(text, form)
        expectInPieces(bytes, sizes)
      }),
      { numRuns: 60 },
    )
  })
})

function expectInPieces(bytes: Uint8Array, sizes: readonly number[]): void {
  const reader = new SessionLogReader('a.jsonl')
  let start = 0
  for (const size of sizes) {
    reader.append(bytes.subarray(start, start + size))
    const end = Math.min(bytes.length, start + size)
    expect(reader.result()).toEqual(parseSessionFile({ path: 'a.jsonl', bytes: bytes.subarray(0, end) }))
    start = end
  }
  reader.append(bytes.subarray(start))
  expect(reader.result()).toEqual(parseSessionFile({ path: 'a.jsonl', bytes }))
}

describe('T10: a log that was formatted', () => {
  it.each([
    ['by jq', '\n'],
    ['on Windows', '\r\n'],
  ])('%s is read as one with a record a line, and says so once', (_, newline) => {
    for (const { path, bytes } of LOGS) {
      const original = parseSessionFile({ path, bytes })
      const rewritten = parseSessionFile({ path, bytes: bytesOf(formatted(textOf(bytes), newline)) })
      expectSame(rewritten, original)
      const others = codes(rewritten).filter((code) => code !== 'spread-record')
      expect([others, codes(rewritten).length - others.length]).toEqual([codes(original), 1])
    }
  })

  it.each([
    ['without ends of lines between its records', (text: string) => formatted(text).replaceAll('}\n{', '}{')],
    [
      'with empty lines between them',
      (text: string) => `\n${formatted(text).replaceAll('}\n{', '}\n\n\n{')}`,
    ],
    ['that opens a record with a field', (text: string) => formatted(text).replaceAll(/^\{\n {2}/gm, '{ ')],
    [
      'behind its first line',
      (text: string) =>
        `${text.slice(0, text.indexOf('\n') + 1)}${formatted(text.slice(text.indexOf('\n') + 1))}`,
    ],
    ['in UTF-16', formatted],
  ])('%s', (name, rewrite) => {
    for (const { path, bytes } of LOGS.filter((__, index) => index % 3 === 0)) {
      const text = rewrite(textOf(bytes))
      const rewritten = name === 'in UTF-16' ? utf16(text, { isBig: false, hasMark: true }) : bytesOf(text)
      expectSame(parseSessionFile({ path, bytes: rewritten }), parseSessionFile({ path, bytes }))
    }
  })

  it('is read the same in any pieces', () => {
    fc.assert(
      fc.property(arbitraryLog, fc.array(fc.nat(60), { maxLength: 12 }), ({ text }, sizes) =>
        expectInPieces(bytesOf(formatted(text)), sizes),
      ),
      { numRuns: 150 },
    )
  })

  it('behind an empty line names the same lines, wherever its pieces end', () => {
    const text = ` \t \n${JSON.stringify(METADATA, null, 2)}\n{"id":"a","ty`
    for (let size = 0; size < 12; size += 1) expectInPieces(bytesOf(text), [size])
  })

  it('that Gemini CLI goes on with has the new lines, too', () => {
    const text = `${formatted(RECORDS.map((record) => JSON.stringify(record)).join('\n'))}\n`
    const more = `${JSON.stringify({ ...PROMPT, id: 'later', content: 'And then?' })}\n`
    const parsed = parseSessionFile({ path: 'a.jsonl', bytes: bytesOf(text + more) })
    expect(parsed.messages.map(({ id }) => id)).toEqual(['p', 'g', 'later'])
    expect(parsed.messages.map(({ superseded }) => superseded)).toEqual([null, null, null])
  })

  it('that was cut shows what is whole before, and never says that more is shown than is', () => {
    const text = formatted(RECORDS.map((record) => JSON.stringify(record)).join('\n'))
    for (let end = 1; end < text.length; end += 1) {
      const parsed = parseSessionFile({ path: 'a.jsonl', bytes: bytesOf(text.slice(0, end)) })
      const claims = codes(parsed).filter((code) =>
        ['truncated-json', 'broken-json', 'text-behind'].includes(code),
      )
      if (parsed.messages.length === 0) expect(claims).toEqual([])
      if (end <= text.indexOf('\n}\n') + 4) continue
      expect(parsed.header.sessionId).toBe('s')
      expect(codes(parsed).filter((code) => code !== 'torn-tail' && code !== 'spread-record')).toEqual([])
    }
  })

  it('with a record that was cut off shows those behind it', () => {
    const [metadata, prompt, answer] = RECORDS.map((record) => JSON.stringify(record, null, 2))
    const torn = prompt?.slice(0, prompt.indexOf('"content"') + 15)
    const parsed = parseSessionFile({ path: 'a.jsonl', bytes: bytesOf(`${metadata}\n${torn}\n${answer}\n`) })
    expect(parsed.messages.map(({ id }) => id)).toEqual(['g'])
    expect(codes(parsed)).toContain('bad-line')
  })
})

const METADATA = { sessionId: 's', projectHash: 'p', startTime: '2026-11-21T20:30:00.000Z', kind: 'main' }
const PROMPT = { id: 'p', type: 'user', timestamp: '2026-11-21T20:31:00.000Z', content: 'Größe? {"{' }
const ANSWER = {
  id: 'g',
  type: 'gemini',
  timestamp: '2026-11-21T20:32:00.000Z',
  content: 'Large: ✓',
  toolCalls: [
    {
      id: 'c',
      name: 'read_file',
      args: { file_path: 'a' },
      status: 'success',
      resultDisplay: 'x'.repeat(3000),
    },
  ],
}
const RECORDS = [METADATA, PROMPT, ANSWER]

describe('T10: the raw record of a message', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rewritten-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const compact = `${RECORDS.map((record) => JSON.stringify(record)).join('\n')}\n`
  const document = JSON.stringify({ ...METADATA, messages: [PROMPT, ANSWER] }, null, 2)
  const LITTLE = { isBig: false, hasMark: true }
  it.each([
    ['a log with a record a line', 'a.jsonl', bytesOf(compact)],
    ['a formatted log', 'a.jsonl', bytesOf(formatted(compact))],
    ['a formatted log of Windows', 'a.jsonl', bytesOf(formatted(compact, '\r\n'))],
    [
      'a formatted log without ends of lines between records',
      'a.jsonl',
      bytesOf(formatted(compact).replaceAll('}\n{', '}{')),
    ],
    [
      'a log that opens a record with a field',
      'a.jsonl',
      bytesOf(formatted(compact).replaceAll(/^\{\n {2}/gm, '{ ')),
    ],
    ['a log in UTF-16', 'a.jsonl', utf16(compact, LITTLE)],
    [
      'a formatted log in big-endian UTF-16',
      'a.jsonl',
      utf16(formatted(compact), { isBig: true, hasMark: false }),
    ],
    ['a document in UTF-16', 'a.json', utf16(document, LITTLE)],
  ])('of %s is what its file holds, and stays so when the file grows', async (_, name, bytes) => {
    const path = join(root, '.gemini/tmp/shop/chats', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    const group = new GrowingSessionGroup({ putsTextsAside: true })
    const homes = findHomes({ homeArguments: [root], env: {}, userHome: '/nobody' })
    const [session] = await group.read((await scanHomes(homes)).files)
    const [prompt, answer] = session?.messages ?? []
    expect([prompt?.id, answer?.id]).toEqual(['p', 'g'])
    const [texts] = group.putAside
    const whole = await group.restore(session?.messages ?? [])
    expect(whole[1]?.toolCalls[0]?.display).toEqual({ kind: 'text', text: 'x'.repeat(3000) })
    for (const [message, record] of [
      [prompt, PROMPT],
      [answer, ANSWER],
    ] as const) {
      const raw = await texts?.texts.readRecord(message?.source ?? { file: '' })
      if (!(raw instanceof Uint8Array)) throw new Error('The record is not held.')
      const value = JSON.parse(new TextDecoder().decode(raw))
      expect(
        name.endsWith('.json') && 'messages' in value ? value.messages[message?.source.index ?? 0] : value,
      ).toEqual(record)
    }
    if (name.endsWith('.json')) return
    const later = { ...PROMPT, id: 'later', content: 'And then?' }
    const isWide = bytes.includes(0)
    const line = `${bytes.at(-1) === 125 ? '\n' : ''}${JSON.stringify(later)}\n`
    appendFileSync(path, isWide ? utf16(line, { isBig: bytes[0] === 0, hasMark: false }) : line)
    const [grown] = await group.read((await scanHomes(homes)).files)
    expect(grown?.messages.map(({ id }) => id)).toEqual(['p', 'g', 'later'])
  })
})
