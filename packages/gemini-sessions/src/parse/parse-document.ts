import { isRawObject, type RawObject } from '../raw/raw-object.ts'
import type { Problems } from './problems.ts'
import { salvageDocument } from './salvage-document.ts'
import { type PrettySlices, slicePrettyMessages } from './slice-pretty-messages.ts'

export interface ParsedDocument {
  fields: RawObject
  rows: readonly unknown[]
  /** The file ends in the middle; `rows` are the whole messages before. */
  isCut?: boolean
}

/** V8 holds no string of 512 MiB; the pretty form, cut into messages, has no such limit. */
const MAX_WHOLE_BYTES = 400 * 1024 * 1024
const decoder = new TextDecoder()

/** A session stored as one JSON document; null, with the reason as an issue, where it cannot be read. */
export function parseDocument(bytes: Uint8Array, problems: Problems): ParsedDocument | null {
  const slices = slicePrettyMessages(bytes)
  const fast = slices && parseSlices(slices)
  if (fast) return checkDocument(fast, problems)
  if (bytes.length > MAX_WHOLE_BYTES) {
    problems.addIssue('too-large', '', { sizeBytes: bytes.length, maxBytes: MAX_WHOLE_BYTES })
    return null
  }
  return parseWhole(bytes, problems)
}

function parseSlices({ messages, before, after }: PrettySlices): ParsedDocument | null {
  try {
    const fields: unknown = JSON.parse(decoder.decode(before) + decoder.decode(after))
    const rows = messages.map((message): unknown => JSON.parse(decoder.decode(message)))
    return isRawObject(fields) ? { fields, rows } : null
  } catch {
    return null
  }
}

function parseWhole(bytes: Uint8Array, problems: Problems): ParsedDocument | null {
  const text = decoder.decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const isCut = /^\s*[{[]/.test(text)
    problems.addIssue(isCut ? 'truncated-json' : 'not-a-session', isCut ? `byte ${bytes.length}` : '')
    const saved = isCut ? salvageDocument(text) : null
    return saved && checkDocument({ ...saved, isCut: true }, problems)
  }
  if (!isRawObject(value)) {
    problems.addIssue('not-a-session', '')
    return null
  }
  const { messages } = value
  if (messages !== undefined && !Array.isArray(messages)) problems.addIssue('bad-field', 'messages')
  return checkDocument({ fields: value, rows: Array.isArray(messages) ? messages : [] }, problems)
}

/** The CLI takes any object with a `sessionId`; without one, messages must speak for it. */
function checkDocument(document: ParsedDocument, problems: Problems): ParsedDocument | null {
  if (typeof document.fields.sessionId === 'string') return document
  if (document.rows.some((row) => isRawObject(row) && typeof row.type === 'string' && 'content' in row)) {
    problems.addIssue('no-metadata', '')
    return document
  }
  problems.addIssue('not-a-session', '')
  return null
}
