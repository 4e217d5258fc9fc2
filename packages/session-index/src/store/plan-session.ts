import { callLine, type Message, type Session, type SessionSummary, type ToolCall } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import type { IndexGroup, SessionRecord } from '../contract.ts'
import { isDatabaseError } from '../database/shard-database.ts'
import type { Database, SqlValue } from '../driver.ts'
import type { RowFacts } from '../rows.ts'
import type { FindRecord } from '../source/message-reader.ts'
import { fieldPieces, indexedPieces } from '../text.ts'
import type { SessionRecordBuilder } from '../to-session-record.ts'
import type { KnownTexts } from './known-texts.ts'
import { packMessage, shortenMessage } from './message-table.ts'
import {
  DOCUMENTS,
  deleteSearchRow,
  deleteTitle,
  documentOf,
  documentsOf,
  fieldsOf,
  numberOrNull,
  readStoredRows,
  type SearchRow,
  type StoredRow,
  type StoredText,
  titleId,
  writeSearchRow,
} from './search-rows.ts'
import { type SessionText, sessionTexts } from './session-texts.ts'
import type { ShardStore, StoredSession } from './shard-store.ts'
import { encodePieces, hashPieces, textColumns, writeSession } from './write-session.ts'

const DELETE_TEXT = 'DELETE FROM text WHERE rowid = ?'
const INSERT_TEXT = 'INSERT INTO text (rowid, words) VALUES (?, CAST(? AS TEXT))'

/** A session to write. Includes `facts`, so that searches do not load a price list. */
export interface SessionToWrite {
  session: Session
  /** Builds its record from all its messages. */
  startRecord: () => Pick<SessionRecordBuilder, 'summary' | 'add' | 'finish'>
  facts: (text: SessionText, summary: SessionSummary) => RowFacts
  /** Failure flags of this message. */
  failureOf: (message: Message) => number
  /** What is known of the messages from the last reading; null: process each. */
  texts: KnownTexts | null
  /** Restores the texts that the session does not hold; null: it holds all. */
  whole: ((messages: readonly Message[]) => Promise<Message[]>) | null
}

/** What to write for a session. */
interface SessionPlan extends WaitingRows {
  record: SessionRecord
  /** Number of messages in the session. */
  messageCount: number
}

interface WaitingRows {
  /** Documents whose text was removed or replaced. */
  deletions: number[]
  insertions: { document: number; words: Uint8Array }[]
  /** New or changed messages. */
  messages: MessageRow[]
  /** The same for search rows. */
  found: SearchRow[]
  /** Ids of rows that are no longer searchable. */
  unfound: number[]
}

/** Environment of a plan: the stored data, the source of message ids, and what writes rows early. */
interface PlanRun extends MessageSources {
  /** Of the session. */
  number: number
  old: { title: StoredRow; messages: Map<number, StoredRow> }
  newId: () => number
  pause: () => Promise<void>
  /** Called if many rows are waiting; removes those it has written. */
  writeEarly: (rows: WaitingRows) => Promise<void>
}

/** Compares a session with its stored data. A message is identified by its position, which keeps its id. */
async function planSession(toWrite: SessionToWrite, run: PlanRun): Promise<SessionPlan> {
  const { session, facts, failureOf, texts: known } = toWrite
  const { number, old, newId, pause } = run
  const record = toWrite.startRecord()
  const findKnown = (message: Message) => known?.find(session.key, message, failureOf(message)) ?? null
  const plan: WaitingRows = { deletions: [], insertions: [], messages: [], found: [], unfound: [] }
  for await (const batch of sessionTexts(toWrite, record, findKnown)) {
    for (const text of batch) {
      const { message, place, timeMs } = text
      const isAsStored =
        old.messages.has(place) && text.known?.place === place && text.known.timeMs === timeMs
      const ofRow = text.known?.facts ?? facts(text, record.summary)
      const before = (message === null ? old.title : old.messages.get(place)) ?? { id: newId(), text: null }
      if (message !== null && !isAsStored)
        plan.messages.push(messageRow(message, { id: before.id, ordinal: place }, ofRow, run))
      const now = planText(plan, text, before)
      if (now === null && before.text !== null) plan.unfound.push(before.id)
      if (now !== null && !isAsStored)
        plan.found.push({ id: before.id, session: number, ordinal: place, timeMs, facts: ofRow, ...now })
      if (message !== null && now !== null)
        known?.note(session.key, {
          message,
          failure: failureOf(message),
          facts: ofRow,
          place,
          timeMs,
          hash: now.hash,
        })
      await pause()
    }
    await run.writeEarly(plan)
  }
  return { ...plan, record: record.finish(), messageCount: session.messages.length }
}

/** Rewrites the text of a row unless it is unchanged. null: nothing of it is searchable. */
function planText(
  { deletions, insertions }: WaitingRows,
  { message, known, isFound, pieces }: SessionText,
  before: StoredRow,
): StoredText | null {
  const { id, text: stored } = before
  if (!isFound) {
    deletions.push(...documentsOf(before))
    return null
  }
  if (stored !== null && known?.hash === stored.hash) return stored
  const its = known === null || message === null ? pieces : fieldPieces(message)
  const indexed = encodePieces(indexedPieces(its))
  const hash = hashPieces(indexed)
  if (hash === stored?.hash) return stored
  deletions.push(...documentsOf(before))
  const columns = textColumns(indexed.pieces)
  for (const [field, words] of columns.entries())
    if (words !== null) insertions.push({ document: documentOf(id, field), words })
  return { hash, fields: fieldsOf(columns) }
}

/** Writes a session's record and its changed rows. */
async function writePlan(
  database: Database,
  { number, groupId, key }: StoredSession,
  plan: SessionPlan,
  { isStored, pause }: { isStored: boolean; pause: () => Promise<void> },
): Promise<void> {
  await writeRows(database, plan, { number, isStored, pause })
  if (isStored) deleteMessages(database, number, plan.messageCount)
  writeSpend(database, number, plan.record.buckets)
  writeSession(database, { number, groupId, key }, plan.record)
}

/** Empties the given rows. */
async function writeRows(
  database: Database,
  { deletions, insertions, messages, found, unfound }: WaitingRows,
  { number, isStored, pause }: { number: number; isStored: boolean; pause: () => Promise<void> },
): Promise<void> {
  for (const document of deletions.splice(0)) database.run(DELETE_TEXT, document)
  for (const { document, words } of insertions.splice(0)) {
    database.run(INSERT_TEXT, document, words)
    await pause()
  }
  for (const message of messages.splice(0)) {
    writeMessage(database, number, message, isStored)
    await pause()
  }
  for (const row of found.splice(0)) {
    writeSearchRow(database, row)
    await pause()
  }
  for (const id of unfound.splice(0)) deleteSearchRow(database, id)
}

/** Rows of one message: its own and those of its calls. `body` is UTF-8, which the wasm build copies faster than a string. */
interface MessageRow {
  id: number
  ordinal: number
  values: SqlValue[]
  body: Uint8Array
  cuts: string | null
  calls: SqlValue[][]
}

/** Where the records of messages are. */
interface MessageSources {
  files: readonly DiscoveredFile[]
  findRecord: FindRecord
}

const MAX_LINE = 1024

/** The stored row of a message at this position in its session. */
function messageRow(
  message: Message,
  { id, ordinal }: { id: number; ordinal: number },
  { flags, tokens, cost, calls }: Pick<RowFacts, 'flags' | 'tokens' | 'cost' | 'calls'>,
  { files, findRecord }: MessageSources,
): MessageRow {
  const { key, type, origin, model, timestamp, toolCalls } = message
  const { short, cuts } = shortenMessage(message)
  const file = files.findIndex(({ path }) => path === message.source.file)
  const found = files[file]
  const range = found === undefined ? null : findRecord(found, recordOf(message))
  return {
    id,
    ordinal,
    values: [
      key,
      numberOrNull(Date.parse(timestamp ?? '')),
      type,
      origin,
      model,
      flags,
      numberOrNull(tokens),
      numberOrNull(cost),
      file < 0 ? null : file,
      range?.start ?? null,
      range?.end ?? null,
    ],
    body: Buffer.from(packMessage(short, { hasFile: file >= 0 })),
    cuts: cuts.length === 0 ? null : JSON.stringify(cuts),
    calls: toolCalls.map((call, place) => callValues(call, calls[place]?.paths ?? [])),
  }
}

/** Line (1-based) or, if negative, the bitwise complement of the index of the record that determines the message; 0: unknown. */
export function recordOf({ source: { line, index } }: Pick<Message, 'source'>): number {
  return line ?? (index === undefined ? 0 : ~index)
}

function callValues(call: ToolCall, paths: readonly string[]): SqlValue[] {
  const { name, status, failed, exitCode } = call
  const line = callLine(call).slice(0, MAX_LINE)
  return [name, status, failed ? 1 : 0, exitCode, line, paths.length === 0 ? null : JSON.stringify(paths)]
}

/** Writes rows of messages. `isStored`: others with their ids or positions may exist. */
function writeMessage(
  database: Database,
  session: number,
  { id, ordinal, values, body, cuts, calls }: MessageRow,
  isStored: boolean,
): void {
  if (isStored) database.run('DELETE FROM call WHERE message = ?', id)
  database.run(INSERT_MESSAGE, id, session, ordinal, ...values, body, cuts)
  for (const [place, call] of calls.entries()) database.run(INSERT_CALL, id, place, ...call)
}

/** Deletes messages of a session, including their search rows. */
function deleteMessages(database: Database, session: number, fromOrdinal = 0): void {
  for (const sql of DELETE_MESSAGES) database.run(sql, session, fromOrdinal)
}

/** Writes the session's usage, replacing what was stored. */
function writeSpend(database: Database, session: number, buckets: SessionRecord['buckets']): void {
  deleteSpend(database, session)
  for (const { quarterHour, model, usage, cost } of buckets) {
    database.run(
      INSERT_SPEND,
      session,
      quarterHour === null ? null : Date.parse(quarterHour),
      model,
      usage.calls,
      usage.input,
      usage.cached,
      usage.output,
      usage.thoughts,
      usage.tool,
      cost.usd ?? 0,
      cost.unpricedCalls,
    )
  }
}

function deleteSpend(database: Database, session: number): void {
  database.run('DELETE FROM spend WHERE session = ?', session)
}

const INSERT_MESSAGE = `INSERT OR REPLACE INTO message
  (id, session, ordinal, key, time, type, origin, model, flags, tokens, cost, file, record_start, record_end, body, cuts)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS TEXT), ?)`
const IDS = 'SELECT id FROM message WHERE session = ? AND ordinal >= ?'
const DELETE_MESSAGES = [
  `DELETE FROM text WHERE rowid IN (${DOCUMENTS} WHERE search_row.id IN (${IDS}))`,
  `DELETE FROM search_row WHERE id IN (${IDS})`,
  `DELETE FROM call WHERE message IN (${IDS})`,
  'DELETE FROM message WHERE session = ? AND ordinal >= ?',
]
const INSERT_CALL = `INSERT INTO call (message, place, name, status, failed, exit_code, line, paths)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
const INSERT_SPEND = `INSERT INTO spend
  (session, quarter_hour, model, requests, input, cached, output, thoughts, tool, cost, unpriced)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** What to do with the sessions of a group. */
interface PlannedGroup {
  plans: { stored: StoredSession; plan: SessionPlan; isStored: boolean }[]
  /** Stored before, and now gone. */
  gone: StoredSession[]
}

interface GroupRun extends Pick<PlanRun, 'files' | 'findRecord' | 'newId' | 'pause'> {
  /** The stored sessions of the group. */
  old: readonly StoredSession[]
  newSession: (key: string) => StoredSession
  /** Begins a transaction, unless one is open. */
  begin: () => void
}

/** The words of a 200 MB session take as many bytes again; writing early means that each is held only once. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024

/**
 * Plans what to write for each session. Most rows of large sessions are written at once; if one cannot be read after all, this is rolled
 * back, so that nothing has changed.
 */
async function planGroup(
  database: Database,
  sessions: readonly SessionToWrite[],
  run: GroupRun,
): Promise<PlannedGroup> {
  let isEarly = false
  const writeEarly = async (
    rows: WaitingRows,
    session: { number: number; isStored: boolean },
  ): Promise<void> => {
    const waiting =
      rows.insertions.reduce((sum, { words }) => sum + words.length, 0) +
      rows.messages.reduce((sum, { body }) => sum + body.length, 0)
    if (waiting < MOST_WAITING_BYTES) return
    if (!isEarly) {
      run.begin()
      database.exec('SAVEPOINT early')
      isEarly = true
    }
    await writeRows(database, rows, { ...session, pause: run.pause })
  }
  const left = new Map(run.old.map((stored) => [stored.key, stored]))
  const plans: PlannedGroup['plans'] = []
  try {
    for (const toWrite of sessions) {
      const { key } = toWrite.session
      const known = left.get(key)
      left.delete(key)
      const stored = known ?? run.newSession(key)
      const { number } = stored
      const old =
        known === undefined
          ? { title: { id: titleId(number), text: null }, messages: new Map() }
          : readStoredRows(database, number)
      const session = { number, isStored: known !== undefined }
      const plan = await planSession(toWrite, {
        ...run,
        number,
        old,
        writeEarly: (rows) => writeEarly(rows, session),
      })
      plans.push({ stored, plan, isStored: session.isStored })
    }
  } catch (error) {
    // A failed database is replaced.
    if (isEarly && !isDatabaseError(error)) database.exec('ROLLBACK TO early; RELEASE early')
    throw error
  }
  if (isEarly) database.exec('RELEASE early')
  return { plans, gone: [...left.values()] }
}

/**
 * Replaces the stored data of the group, and returns its session records. Calls `pause` often; a concurrent search may see the group half
 * old, half new. An error other than the database's has changed nothing.
 */
export async function writeGroup(
  store: ShardStore,
  group: IndexGroup,
  sessions: SessionToWrite[],
  { findRecord, pause }: { findRecord: FindRecord; pause: () => Promise<void> },
): Promise<SessionRecord[]> {
  const planned = await planGroup(store.database, sessions, {
    files: group.files,
    findRecord,
    old: store.sessionsOf(group.id),
    newSession: (key) => ({ number: store.sessions.newNumber(), key, groupId: group.id }),
    newId: () => store.newId(),
    pause,
    begin: () => store.begin(),
  })
  return writePlans(store, group, planned, pause)
}

async function writePlans(
  store: ShardStore,
  group: IndexGroup,
  { plans, gone }: PlannedGroup,
  pause: () => Promise<void>,
): Promise<SessionRecord[]> {
  store.begin()
  for (const { stored, plan, isStored } of plans) {
    await writePlan(store.database, stored, plan, { isStored, pause })
    if (isStored) store.database.run(DELETE_DERIVED, stored.number)
  }
  for (const { number } of gone) deleteRows(store, number)
  store.groups.write(group)
  store.forgetSessions(group.id)
  for (const { stored } of plans) store.sessions.add(stored)
  return plans.map(({ plan }) => plan.record)
}

/** Stored with the messages of a session, until these are written again. */
export function writeDerived(
  store: ShardStore,
  groupId: string,
  key: string,
  derived: readonly [name: string, json: Uint8Array][],
): void {
  const found = store.sessionsOf(groupId).find((session) => session.key === key)
  if (found === undefined) return
  store.begin()
  for (const [name, json] of derived) store.database.run(INSERT_DERIVED, found.number, name, json)
}

export function removeGroup(store: ShardStore, groupId: string): void {
  store.begin()
  for (const { number } of store.sessionsOf(groupId)) deleteRows(store, number)
  store.groups.remove(groupId)
  store.forgetSessions(groupId)
}

function deleteRows({ database }: ShardStore, number: number): void {
  database.run(DELETE_DERIVED, number)
  deleteMessages(database, number)
  deleteTitle(database, number)
  deleteSpend(database, number)
  database.run('DELETE FROM session WHERE number = ?', number)
}

const DELETE_DERIVED = 'DELETE FROM derived WHERE session = ?'
const INSERT_DERIVED = 'INSERT OR REPLACE INTO derived (session, name, json) VALUES (?, ?, ?)'
