import { z } from 'zod'
import type { ParseIssue } from '../../model/parse-issue.ts'
import { completeJson } from '../../parse/json/complete-json.ts'
import { LogLines } from '../../parse/log/log-lines.ts'
import { recognizeText } from '../../parse/problems/recognize-file.ts'
import { isRawObject } from '../../raw/raw-object.ts'

const entrySchema = z.object({
  sessionId: z.string(),
  message: z.string(),
  /** Counts from 0 in each session. */
  messageId: z.number().nullable().catch(null),
  timestamp: z.unknown(),
})

/** A `logs.json`: its path relative to its home, and its text. */
export interface PromptLog {
  path: string
  text: string
}

/** One line that a person typed, and its place in the log. */
export type TypedEntry = z.infer<typeof entrySchema> & { file: string; index: number }

/** What is in a log, and why Gemini CLI cannot read it; null: it can. */
export interface ReadPromptLog {
  path: string
  entries: TypedEntry[]
  issue: ParseIssue | null
}

/** Enough of a text to tell what it is. */
const HEAD_LENGTH = 16 * 1024

/**
 * What was typed in interactive mode, in the order of the log: a list of entries. The CLI writes the whole file again at each
 * prompt, so a crash can leave it cut or followed by NUL characters, and other programs write it in other forms: entries in a
 * field of an object, one a line, or with other names. What can be read is read, and `issue` says that it is not as it should be.
 */
export function readPromptLog({ path, text }: PromptLog): ReadPromptLog {
  const whole = parse(text)
  const rows = Array.isArray(whole) ? whole : findRows(whole === undefined ? parseDamaged(text) : whole)
  const entries = rows.flatMap((row, index) => {
    const entry = entrySchema.safeParse(row).data ?? readOtherEntry(row)
    return entry === null ? [] : [{ ...entry, file: path, index }]
  })
  const isAsWritten = Array.isArray(whole) && rows.every((row) => entrySchema.safeParse(row).success)
  return { path, entries, issue: isAsWritten ? null : explain(text, entries.length > 0) }
}

function explain(text: string, hasEntries: boolean): ParseIssue {
  if (hasEntries) return { code: 'odd-prompt-log', at: '', args: {} }
  if (text.replaceAll('\0', '').trim() === '')
    return { code: 'empty-file', at: '', args: text.includes('\0') ? { kind: 'zeros' } : {} }
  const kind = recognizeText(text.slice(0, HEAD_LENGTH))
  const isCutLog = kind === 'prompt-log' || (kind === 'json-list' && parse(text) === undefined)
  return isCutLog
    ? { code: 'nothing-whole', at: '', args: {} }
    : { code: 'not-a-session', at: '', args: { kind } }
}

/** Of a text that is no JSON: the entries before the place where it is cut, or those of its lines. */
function parseDamaged(text: string): unknown {
  const written = text.replace(/\0+$/, '').trim()
  if (!written.startsWith('{')) return completeJson(written)
  const rows: unknown[] = []
  const lines = new LogLines(null, (_names, item) => item, null)
  lines.append(new TextEncoder().encode(`${written}\n`), ({ row }) => {
    if (row) rows.push(row)
  })
  return rows.length > 0 ? rows : completeJson(written)
}

/** The list of entries in a value of any form. */
function findRows(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isRawObject(value)) return []
  const lists = Object.values(value).filter((list) => Array.isArray(list))
  return lists.find((list) => list.some((row) => readOtherEntry(row) !== null)) ?? [value]
}

/** An entry with names that other programs give its fields; null: it is none. */
function readOtherEntry(row: unknown): Omit<TypedEntry, 'file' | 'index'> | null {
  if (!isRawObject(row)) return null
  const text = [row.message, row.prompt, row.text, row.content].find((each) => typeof each === 'string')
  const id = [row.sessionId, row.session_id, row.session].find((each) => typeof each === 'string')
  if (typeof text !== 'string' || typeof id !== 'string') return null
  const messageId = typeof row.messageId === 'number' ? row.messageId : null
  return { sessionId: id, message: text, messageId, timestamp: row.timestamp ?? row.time }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
