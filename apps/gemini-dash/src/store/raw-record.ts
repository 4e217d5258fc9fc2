import type { RawRecord } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import type { Written } from './written.ts'

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
  const { file, line = null, index = null } = source
  const head = JSON.stringify({ file, line, index })
  return { json: Buffer.from(`${head.slice(0, -1)},"record":${json}}`) }
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
