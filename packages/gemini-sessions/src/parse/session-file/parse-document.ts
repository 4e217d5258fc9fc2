import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import type { StreamedObject } from '../log/streamed-object.ts'
import type { Problems } from '../problems/problems.ts'

export interface ParsedDocument {
  fields: RawObject
  rows: readonly unknown[]
  /** The file breaks off, or something else follows; `rows` are the whole messages before. */
  isDamaged: boolean
}

/** A session stored as one JSON document; null where it has no session: what it is instead, `recognizeFile` says. */
export function parseDocument(
  document: StreamedObject,
  sizeBytes: number,
  problems: Problems,
): ParsedDocument | null {
  const { row: fields, tooLargeBytes } = document.parsed
  if (document.damage !== null) return salvage(document, sizeBytes, problems)
  if (fields === null) return null
  for (const valueBytes of tooLargeBytes) problems.addIssue('too-large', '', { sizeBytes: valueBytes })
  const { messages } = fields
  if (messages !== undefined && !Array.isArray(messages)) problems.addIssue('bad-field', 'messages')
  return checkDocument({ fields, rows: Array.isArray(messages) ? messages : [], isDamaged: false }, problems)
}

const DAMAGES = { cut: 'truncated-json', broken: 'broken-json', followed: 'text-behind' } as const

function salvage(document: StreamedObject, sizeBytes: number, problems: Problems): ParsedDocument | null {
  const fields = document.salvage()
  // what is not whole is read for that, and only then shows whether it is cut or broken
  const damage = document.damage ?? 'cut'
  const rows = Array.isArray(fields?.messages) ? fields.messages : []
  if (fields === null || rows.length === 0) {
    problems.addIssue('nothing-whole', damage === 'cut' ? `byte ${sizeBytes}` : '')
    return null
  }
  problems.addIssue(DAMAGES[damage], damage === 'cut' ? `byte ${sizeBytes}` : '')
  return checkDocument({ fields, rows, isDamaged: true }, problems)
}

/** The CLI takes any object with a `sessionId`; without one, messages must speak for it. */
function checkDocument(document: ParsedDocument, problems: Problems): ParsedDocument | null {
  if (typeof document.fields.sessionId === 'string') return document
  if (document.rows.some((row) => isRawObject(row) && typeof row.type === 'string' && 'content' in row)) {
    problems.addIssue('no-metadata', '')
    return document
  }
  return null
}
