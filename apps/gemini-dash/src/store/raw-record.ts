import type { RawRecord } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'

/**
 * The record that decides a message, as its file holds it. `bytes`: the line, the row of a document, or a whole document.
 * `record` is the text where it is not JSON.
 */
export function rawRecord({ source, id }: Message, bytes: Uint8Array): RawRecord {
  const value = readJson(new TextDecoder().decode(bytes))
  const record = messageOf(isRecord(value) ? (value.$set ?? value) : value, id, source.index)
  return { file: source.file, line: source.line ?? null, index: source.index ?? null, record }
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
