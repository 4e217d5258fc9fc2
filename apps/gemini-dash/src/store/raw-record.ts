import type { RawRecord } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import type { FilePart } from 'gemini-sessions/node'
import type { Written } from './written-messages.ts'

/** A `RawRecord` that is streamed from its file: `head`, the bytes of the file, `}`. */
export interface RecordInFile {
  head: string
  part: FilePart
}

/**
 * The record that determines a message, as in its file. `bytes`: the line, the row of a document, or a whole document. `record` is the text
 * if it is not JSON. A record with its own line is sent as it was written: V8 can neither clone nor serialize one that is nested some
 * thousand levels deep.
 */
export function rawRecord({ source, id }: Message, bytes: Uint8Array): Written<RawRecord> {
  const text = new TextDecoder().decode(bytes)
  const value = readJson(text)
  const record = messageOf(isRecord(value) ? (value.$set ?? value) : value, id, source.index)
  const json = value === text ? JSON.stringify(text) : record === value ? text.trim() : jsonOf(record, text)
  return { json: Buffer.from(`${headOf(source)}${json}}`) }
}

/** The same for a record too large for memory; nothing is extracted from it. */
export function recordInFile({ source }: Message, part: FilePart): RecordInFile {
  return { head: headOf(source), part }
}

function headOf({ file, line, index }: Message['source']): string {
  const place = JSON.stringify({ file, line: line ?? null, index: index ?? null })
  return `${place.slice(0, -1)},"record":`
}

/** `whole`: the JSON that it was taken from, in case it is too deep to be serialized alone. */
function jsonOf(record: unknown, whole: string): string {
  try {
    return JSON.stringify(record)
  } catch {
    return whole.trim()
  }
}

/** Extracts a message that is recorded within a whole conversation (`messages`). */
function messageOf(value: unknown, id: string, index: number | undefined): unknown {
  if (!isRecord(value) || !Array.isArray(value.messages)) return value
  const rows: unknown[] = value.messages
  if (index !== undefined && index < rows.length) return rows[index]
  return rows.findLast((row) => isRecord(row) && row.id === id) ?? value
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
