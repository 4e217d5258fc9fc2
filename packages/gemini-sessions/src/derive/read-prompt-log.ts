import { z } from 'zod'
import type { ParseIssue } from '../model/issue.ts'
import type { Message, Session } from '../model/message.ts'
import type { SessionFile } from '../model/session-summary.ts'
import { completeJson } from '../parse/json/complete-json.ts'
import { LogLines } from '../parse/log.ts'
import { recognizeText } from '../parse/problems.ts'
import { toIsoTime } from '../parse/row.ts'
import { isRawObject } from '../raw.ts'
import { placeKey, sessionKey } from './identity.ts'
import { earliestTime, lastMessageTime } from './messages.ts'

const entrySchema = z.object({
  sessionId: z.string(),
  message: z.string(),
  /** Counts from 0 in each session. */
  messageId: z.number().nullable().catch(null),
  timestamp: z.unknown(),
})

/** A `logs.json`: its path relative to its Gemini folder, and its text. */
export interface PromptLog {
  path: string
  text: string
}

/** One typed line, and its position in the log. */
export type TypedEntry = z.infer<typeof entrySchema> & { file: string; index: number }

/** The entries of a log, and why Gemini CLI cannot read it; null: it can. */
export interface ReadPromptLog {
  path: string
  entries: TypedEntry[]
  issue: ParseIssue | null
}

/** Enough of a text to recognize its type. */
const HEAD_LENGTH = 16 * 1024

/**
 * What was typed in interactive mode, in the order of the log: a list of entries. The CLI rewrites the whole file at each prompt, so a
 * crash can leave it truncated or followed by NUL characters, and other programs write other forms: entries in a field of an object, one
 * per line, or with other field names. Everything readable is returned, and `issue` reports the deviation.
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

/** For invalid JSON: the entries before the truncation, or those in its lines. */
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

/** An entry with the field names of other programs; null: not an entry. */
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

/**
 * Sessions of which only the typed prompts are left: those in a project's `logs.json` without a session file (versions up to 0.3, and what
 * the CLI's clean-up deleted). Copies of a log in several folders count once.
 */
export function promptLogSessions(
  logs: readonly Pick<ReadPromptLog, 'entries'>[],
  projectKey: string,
  knownIds: ReadonlySet<string>,
): Session[] {
  const bySession = new Map<string, Map<string, TypedEntry>>()
  for (const entry of logs.flatMap(({ entries }) => entries)) {
    if (knownIds.has(entry.sessionId)) continue
    const entries = bySession.get(entry.sessionId) ?? new Map<string, TypedEntry>()
    const identity = `${entry.messageId}\n${String(entry.timestamp)}\n${entry.message}`
    if (!entries.has(identity)) entries.set(identity, entry)
    bySession.set(entry.sessionId, entries)
  }
  return [...bySession].map(([sessionId, entries]) =>
    toSession(sessionId, projectKey, inOrder([...entries.values()])),
  )
}

/** Entries missing from one log go where they were typed, not after its last one. */
function inOrder(entries: readonly TypedEntry[]): readonly TypedEntry[] {
  if (new Set(entries.map(({ file }) => file)).size < 2) return entries
  const timeOf = ({ timestamp }: TypedEntry) => toIsoTime(timestamp) ?? ''
  return entries.toSorted((one, other) =>
    timeOf(one) < timeOf(other) ? -1 : timeOf(one) > timeOf(other) ? 1 : 0,
  )
}

function toSession(sessionId: string, projectKey: string, entries: readonly TypedEntry[]): Session {
  const taken = new Map<string, number>()
  const messages = entries.map((entry): Message => {
    const id = String(entry.messageId ?? `entry-${entry.index}`)
    const count = (taken.get(id) ?? 0) + 1
    taken.set(id, count)
    return toMessage(entry, count === 1 ? id : `${id}~${count}`)
  })
  const startTime = earliestTime(messages.map((message) => message.timestamp))
  const endTime = lastMessageTime(messages)
  // a log copied to another project has the same ids and times there
  const key = placeKey(sessionKey(sessionId, startTime ?? 'logs'), projectKey)
  const file = entries[0]?.file ?? ''
  const segments: Session['segments'] = [
    { index: 0, reason: 'start', file, firstOffset: 0, messages: messages.length, startTime, endTime },
  ]
  // The log belongs to all sessions of the project, so to none.
  return {
    ...NOTHING_SAID,
    key,
    ownKeys: [key],
    sessionId,
    startTime,
    lastUpdated: endTime,
    messages,
    segments,
  }
}

const NOTHING_SAID = {
  kind: 'prompts-only',
  fileKeys: [],
  parentSessionId: null,
  sameRunKeys: [],
  projectHash: null,
  startTime: null,
  lastUpdated: null,
  summary: null,
  directories: [],
  messages: [],
  buried: false,
  drawnKeys: null,
  resumedKeys: [],
  files: [],
  issues: [],
  drift: [],
} satisfies Partial<Session>

/**
 * A row for a prompt log that is damaged or not a log (contract rule 7); its prompts are in separate sessions. `files`: it and its copies.
 */
export function damagedLogSession(
  { path, issue, projectKey }: { path: string; issue: ParseIssue; projectKey: string },
  files: readonly SessionFile[],
): Session {
  const key = placeKey(sessionKey(path, 'logs'), projectKey)
  const segments: Session['segments'] = [
    { index: 0, reason: 'start', file: path, firstOffset: 0, messages: 0, startTime: null, endTime: null },
  ]
  return {
    ...NOTHING_SAID,
    key,
    ownKeys: [key],
    sessionId: path,
    segments,
    files: [...files],
    issues: [{ ...issue, file: path }],
  }
}

function toMessage({ message, timestamp, messageId, file, index }: TypedEntry, key: string): Message {
  return {
    key,
    id: messageId === null ? '' : String(messageId),
    type: 'user',
    origin: 'human',
    timestamp: toIsoTime(timestamp),
    model: null,
    content: [{ kind: 'text', text: message }],
    attachments: [],
    thoughts: [],
    toolCalls: [],
    usage: null,
    cost: null,
    superseded: null,
    copyOf: null,
    agentKey: null,
    segment: 0,
    source: { file, index },
  }
}
