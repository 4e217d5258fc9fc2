import { closeSync, openSync, writeSync } from 'node:fs'

const START = '2026-11-21T20:30:57.000Z'
const METADATA = {
  sessionId: '7ff5e7ae-0000-4000-8000-000000000000',
  projectHash: 'a'.repeat(64),
  startTime: START,
  lastUpdated: START,
}
const ASCII = 'the cart total price order line\nvoucher "server" request index search token cache query\t\n'
const MIXED = 'Grüße, 料理 and 👋 beside much plain text that a model wrote about the shop and its prices. '
const MESSAGE_BYTES = 9_000

export interface LargeShape {
  /** Also the name of the file. */
  name: string
  /** Its content, and where its size comes from. */
  about: string
  /** What is large: the whole, one line of it, or one text, of which readers hold only a part. */
  large: 'file' | 'line' | 'text'
  messages: (bytes: number) => number
  write: (out: (text: string) => void, bytes: number) => void
}

const messageCount = (bytes: number) => Math.max(1, Math.round(bytes / MESSAGE_BYTES))
const single = () => 1

/** Every shape of a session file, or a line of it, that is too large to be held twice. */
export const LARGE_SHAPES: readonly LargeShape[] = [
  {
    name: 'pretty.json',
    about: 'pretty JSON',
    large: 'file',
    messages: messageCount,
    write: (out, bytes) => {
      out(`${JSON.stringify(METADATA, null, 2).slice(0, -2)},\n  "messages": [\n`)
      writeList(out, bytes, ',\n', (row) => JSON.stringify(row, null, 2).replaceAll(/^/gm, '    '))
      out('\n  ]\n}')
    },
  },
  {
    name: 'compact.json',
    about: 'JSON on one line',
    large: 'file',
    messages: messageCount,
    write: (out, bytes) => writeWhole(out, bytes, ''),
  },
  {
    name: 'lines.jsonl',
    about: 'a log of ordinary lines',
    large: 'file',
    messages: messageCount,
    write: (out, bytes) => {
      out(`${JSON.stringify(METADATA)}\n`)
      writeList(out, bytes, '\n', JSON.stringify)
      out('\n')
    },
  },
  {
    name: 'whole-record.jsonl',
    about: 'a whole session as one line of a log',
    large: 'line',
    messages: messageCount,
    write: (out, bytes) => writeWhole(out, bytes, '\n'),
  },
  {
    name: 'snapshot.jsonl',
    about: 'a `$set.messages` line',
    large: 'line',
    messages: messageCount,
    write: (out, bytes) => {
      out(`${JSON.stringify(METADATA)}\n`)
      writeSnapshot(out, bytes)
    },
  },
  {
    name: 'repeated-snapshot.jsonl',
    about: 'a `$set.messages` line that repeats all lines before it',
    large: 'file',
    messages: (bytes) => messageCount(bytes / 2),
    write: (out, bytes) => {
      out(`${JSON.stringify(METADATA)}\n`)
      writeList(out, bytes / 2, '\n', JSON.stringify)
      out('\n')
      writeSnapshot(out, bytes / 2)
    },
  },
  {
    name: 'output.jsonl',
    about: 'one tool output',
    large: 'text',
    messages: single,
    write: (out, bytes) => writeSplit(out, makeMessage(1, '|'), repeat(ASCII, bytes)),
  },
  {
    name: 'wide-output.jsonl',
    about: 'one tool output of letters beyond ASCII',
    large: 'text',
    messages: single,
    write: (out, bytes) => writeSplit(out, makeMessage(1, '|'), repeat('料理语言', bytes / 3)),
  },
  {
    name: 'image.jsonl',
    about: 'one base64 image',
    large: 'line',
    messages: single,
    write: (out, bytes) => {
      const inlineData = { mimeType: 'image/png', data: '|' }
      const row = { id: 'm1', timestamp: START, type: 'user', content: [{ text: 'See' }, { inlineData }] }
      writeSplit(out, row, repeat('QUJD', bytes))
    },
  },
]

/** Writes the file piece by piece: a string of all of it would be too large. */
export function writeLargeFile(path: string, shape: LargeShape, bytes: number): void {
  const descriptor = openSync(path, 'w')
  try {
    shape.write((text) => writeSync(descriptor, text), bytes)
  } finally {
    closeSync(descriptor)
  }
}

function writeWhole(out: (text: string) => void, bytes: number, end: string): void {
  out(`${JSON.stringify(METADATA).slice(0, -1)},"messages":[`)
  writeList(out, bytes, ',', JSON.stringify)
  out(`]}${end}`)
}

function writeSnapshot(out: (text: string) => void, bytes: number): void {
  out('{"$set":{"messages":[')
  writeList(out, bytes, ',', JSON.stringify)
  out(']}}\n')
}

function writeList(
  out: (text: string) => void,
  bytes: number,
  separator: string,
  print: (row: object) => string,
): void {
  for (let index = 0; index < messageCount(bytes); index += 1) {
    const text = repeat(index % 5 === 0 ? MIXED : ASCII, MESSAGE_BYTES - 500)
    out((index === 0 ? '' : separator) + print(makeMessage(index, text)))
  }
}

/** One line whose `|` is replaced by a text of any size. */
function writeSplit(out: (text: string) => void, row: object, text: string): void {
  const [before = '', after = ''] = JSON.stringify(row).split('|')
  out(`${JSON.stringify(METADATA)}\n${before}`)
  out(JSON.stringify(text).slice(1, -1))
  out(`${after}\n`)
}

function makeMessage(index: number, text: string) {
  const id = `m${index}`
  if (index % 4 === 0) return { id, timestamp: START, type: 'user', content: [{ text }] }
  const response = { functionResponse: { id: `c${index}`, name: 'read_file', response: { output: text } } }
  return {
    id,
    timestamp: START,
    type: 'gemini',
    content: '',
    thoughts: [{ subject: 'Plan', description: 'Look first.', timestamp: START }],
    tokens: { input: 10, output: 5, cached: 0, thoughts: 0, tool: 0, total: 15 },
    model: 'gemini-2.5-pro',
    toolCalls: [{ id: `c${index}`, name: 'read_file', args: {}, result: [response], status: 'success' }],
  }
}

function repeat(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}
