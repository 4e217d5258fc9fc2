import type { RawRecord } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import type { FilePart } from 'gemini-sessions/node'
import type { Written } from './written.ts'

/** A `RawRecord` whose record is sent from its file: `head`, the bytes there, `}`. */
export interface RecordInFile {
  head: string
  part: FilePart
}

/**
 * The record that decides a message, as its file holds it. `bytes`: the line, the row of a document, or a whole document.
 * `record` is the text where it is not JSON. A record that stands alone is sent as it was written: one that is nested some
 * thousand levels deep can be neither cloned nor written by V8.
 */
export function rawRecord({ source, id }: Message, bytes: Uint8Array): Written<RawRecord> {
  const text = new TextDecoder().decode(bytes)
  const value = readJson(text)
  const record = messageOf(isRecord(value) ? (value.$set ?? value) : value, id, source.index)
  const json = value === text ? JSON.stringify(text) : record === value ? text.trim() : jsonOf(record, text)
  return { json: Buffer.from(`${headOf(source)}${json}}`) }
}

/** The same of a record that is too large to be held; nothing is taken out of it. */
export function recordInFile({ source }: Message, part: FilePart): RecordInFile {
  return { head: headOf(source), part }
}

function headOf({ file, line, index }: Message['source']): string {
  const place = JSON.stringify({ file, line: line ?? null, index: index ?? null })
  return `${place.slice(0, -1)},"record":`
}

/** `whole`: the JSON that it was taken out of, where it is too deep to be written by itself. */
function jsonOf(record: unknown, whole: string): string {
  try {
    return JSON.stringify(record)
  } catch {
    return whole.trim()
  }
}

/** A message written within a whole conversation (`messages`) is taken out of it. */
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
