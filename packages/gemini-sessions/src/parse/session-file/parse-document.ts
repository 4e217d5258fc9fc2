import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import type { StreamedObject } from '../log/streamed-object.ts'
import type { Problems } from '../problems/problems.ts'

export interface ParsedDocument {
  fields: RawObject
  rows: readonly unknown[]
  /** The file ends in the middle; `rows` are the whole messages before. */
  isCut: boolean
}

/** A session stored as one JSON document; null, with the reason as an issue, where it cannot be read. */
export function parseDocument(
  document: StreamedObject,
  sizeBytes: number,
  problems: Problems,
): ParsedDocument | null {
  const { row: fields, tooLargeBytes } = document.parsed
  if (document.isDamaged) return salvage(document, sizeBytes, problems)
  if (fields === null) {
    problems.addIssue('not-a-session', '')
    return null
  }
  for (const valueBytes of tooLargeBytes) problems.addIssue('too-large', '', { sizeBytes: valueBytes })
  const { messages } = fields
  if (messages !== undefined && !Array.isArray(messages)) problems.addIssue('bad-field', 'messages')
  return checkDocument({ fields, rows: Array.isArray(messages) ? messages : [], isCut: false }, problems)
}

function salvage(document: StreamedObject, sizeBytes: number, problems: Problems): ParsedDocument | null {
  problems.addIssue('truncated-json', `byte ${sizeBytes}`)
  const fields = document.salvage()
  const rows = Array.isArray(fields?.messages) ? fields.messages : []
  return fields && rows.length > 0 ? checkDocument({ fields, rows, isCut: true }, problems) : null
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
