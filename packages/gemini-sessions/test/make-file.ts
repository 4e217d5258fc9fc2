import type { StitchFile } from '../src/derive/files.ts'
import type { Message } from '../src/model/message.ts'
import { parseSessionFile } from '../src/parse/session-file.ts'

export const SESSION_ID = '11111111-2222-4333-8444-555555555555'

export type Row = { id: string; type: string; timestamp: string; content: unknown } & Record<string, unknown>

/** `minutes` after 20:00 on the day of the fixtures. */
export function at(minutes: number, milliseconds = 0): string {
  return new Date(Date.UTC(2026, 10, 21, 20, 0) + minutes * 60_000 + milliseconds).toISOString()
}

export function prompt(id: string, minutes: number, text = `prompt ${id}`): Row {
  return { id, type: 'user', timestamp: at(minutes), content: [{ text }] }
}

export function answer(id: string, minutes: number, fields: Record<string, unknown> = {}): Row {
  const tokens = { input: 100, output: 10, cached: 40, thoughts: 5, tool: 0, total: 115 }
  const text = `answer ${id}`
  return {
    id,
    type: 'gemini',
    timestamp: at(minutes),
    content: text,
    tokens,
    model: 'gemini-2.5-pro',
    ...fields,
  }
}

export function info(id: string, minutes: number, content = ''): Row {
  return { id, type: 'info', timestamp: at(minutes), content }
}

/** The constant context message that 0.44+ writes at the start of every session. */
export function context(minutes: number): Row {
  const text = '<session_context>\nThis is the Gemini CLI.\n</session_context>'
  return { id: 'd04923d38bb0f6017037e74183378ef4', type: 'user', timestamp: at(minutes), content: [{ text }] }
}

export interface FileSpec {
  sessionId?: string
  start: number
  /** Path in `tmp/`; by default one that fits `start`. */
  path?: string
  home?: string
  kind?: string
  fields?: Record<string, unknown>
}

/** A pretty JSON file (0.4 to 0.38). */
export function jsonFile(spec: FileSpec, rows: readonly Row[]): StitchFile {
  const metadata = { ...metadataOf(spec), lastUpdated: rows.at(-1)?.timestamp ?? at(spec.start) }
  const document = { ...metadata, messages: rows, ...spec.fields }
  return toFile(spec, 'json', JSON.stringify(document, null, 2))
}

/** A log (0.39+); a list among the rows is a `$set.messages`, a lone `startTime` a metadata line. */
export function logFile(
  spec: FileSpec,
  rows: readonly (Row | readonly Row[] | { $rewindTo: string } | { startTime: string })[],
): StitchFile {
  const records = rows.map((row) => {
    if (Array.isArray(row)) return { $set: { messages: row } }
    // A new process took over: its metadata line.
    return 'startTime' in row && !('id' in row) ? { ...metadataOf(spec), ...row } : row
  })
  const lines = [{ ...metadataOf(spec), ...spec.fields }, ...records].map(
    (record) => `${JSON.stringify(record)}\n`,
  )
  return toFile(spec, 'jsonl', lines.join(''))
}

export function rawFile(spec: FileSpec, format: 'json' | 'jsonl', text: string): StitchFile {
  return toFile(spec, format, text)
}

/** The same bytes in another place. */
export function copyOf(file: StitchFile, place: { home?: string; path?: string }): StitchFile {
  const path = place.path ?? file.parsed.path
  const messages = file.parsed.messages.map(
    (message): Message => ({ ...message, source: { ...message.source, file: path } }),
  )
  return { ...file, home: place.home ?? file.home, parsed: { ...file.parsed, path, messages } }
}

function metadataOf({ sessionId = SESSION_ID, start, kind }: FileSpec) {
  const time = at(start)
  return {
    sessionId,
    projectHash: 'a'.repeat(64),
    startTime: time,
    lastUpdated: time,
    ...(kind ? { kind } : {}),
  }
}

function toFile(spec: FileSpec, format: 'json' | 'jsonl', text: string): StitchFile {
  const { sessionId = SESSION_ID, start, home = '/home/u/.gemini' } = spec
  const name = `session-${at(start).slice(0, 16).replace(':', '-')}-${sessionId.slice(0, 8)}.${format}`
  const path = `tmp/${spec.path ?? `shop/chats/${name}`}`
  const parsed = parseSessionFile({ path, bytes: new TextEncoder().encode(text) })
  return { home, parsed }
}
