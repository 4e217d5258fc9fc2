import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ForkAnswer } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { buildOutline, drawnMessages, type Message, parseSessionFile, type Session } from 'gemini-sessions'
import { type DiscoveredFile, readSessionGroup } from 'gemini-sessions/node'
import { HomeWriter } from './home-writes/home-writer.ts'
import {
  describeUse,
  findTarget,
  newLogName,
  noFolder,
  type RecoverParts,
  type RecoveryPlan,
  type Refusal,
  refuseOtherProgram,
  refusePlan,
  refuseRunningCli,
  refuseSession,
  type Target,
  takeAwayLeft,
  writePlanned,
} from './recover/recover-session.ts'
import { asLogFile, isRow, type JsonRow, readRow } from './recover/recovered-log.ts'
import type { RecoverySource } from './store/recovering.ts'

interface ForkRequest {
  key: string
  /** Number of the turn before which the new session ends. */
  at: number
  isWriting: boolean
}

/**
 * Returns what would be written to continue from an earlier turn in a new session, and writes it if `isWriting`. null: no such session.
 *
 * @throws if it could not be written; nothing is left behind then
 */
export async function forkSession(
  { recovering, dataFolder, nowMs }: RecoverParts,
  { key, at, isWriting }: ForkRequest,
): Promise<ForkAnswer | null> {
  await takeAwayLeft(recovering, dataFolder)
  const source = recovering.describe(key)
  if (source === null) return null
  const nothing = { home: null, writes: [], notes: [], written: null, at, messages: 0, sessionId: null }
  const foreign = refuseOtherProgram(source)
  if (foreign.length > 0) return { ...nothing, refused: foreign }
  const session = (await readSessionGroup(source.files, source)).find(({ key: own }) => own === source.ownKey)
  const refused = refuseSession(source, session, nowMs)
  if (refused.length === 0) refused.push(...refuseRunningCli([source.summary.project.path]))
  const target = findTarget(source)
  if (target === null) refused.push(noFolder(source))
  if (session === undefined || target === null || refused.length > 0) return { ...nothing, refused }
  const fork = planFork(source, session, target, { at, nowMs })
  if ('code' in fork) return { ...nothing, refused: [fork] }
  const { plan, sessionId } = fork
  refused.push(...refusePlan(target, plan))
  if (dataFolder === null && isWriting)
    refused.push({ code: 'no-journal', message: 'With --no-cache nothing is written.' })
  const answer = {
    ...nothing,
    home: target.home,
    writes: plan.files.map(({ parts, bytes }) => ({ path: parts.join('/'), sizeBytes: bytes.length })),
    refused,
    notes: plan.notes,
    messages: plan.ids.length,
  }
  if (!isWriting || dataFolder === null || refused.length > 0) return answer
  const about = { what: 'fork', sessionKey: source.summary.key } as const
  const writer = new HomeWriter(dataFolder)
  const { id, problem } = await writePlanned(writer.write.bind(writer), { target, plan, sessionId }, about)
  await recovering.refresh()
  return problem === null
    ? { ...answer, written: id, sessionId }
    : { ...answer, refused: [{ code: 'not-read-back', message: problem }] }
}

function planFork(
  source: RecoverySource,
  session: Session,
  target: Target,
  { at, nowMs }: { at: number; nowMs: number },
): { plan: RecoveryPlan; sessionId: string } | Refusal {
  const { turns } = buildOutline(session)
  const turn = turns.find(({ number }) => number === at)
  if (turn === undefined || at < 1) return noTurn(turns.at(-1)?.number ?? 0)
  const before = conversationBefore(session, turn.firstOffset, source.files)
  if (before === null)
    return {
      code: 'damaged',
      message: 'The file of this turn is damaged, so the messages before it can’t be read.',
    }
  const sessionId = randomUUID()
  const now = new Date(nowMs).toISOString()
  const { path } = source.summary.project
  const metadata = {
    sessionId,
    projectHash:
      session.projectHash ??
      createHash('sha256')
        .update(path ?? '')
        .digest('hex'),
    startTime: now,
    lastUpdated: now,
    kind: 'main',
    ...(before.directories.length > 0 && { directories: before.directories }),
  }
  const bytes = asLogFile(target.layout, metadata, before.rows)
  const logName = newLogName(target, sessionId, nowMs)
  const parts = ['tmp', target.folder, 'chats', logName]
  const log = parts.join('/')
  if (!isTalk(log, bytes))
    return { code: 'nothing-before', message: `There is nothing to continue before turn ${at}.` }
  return {
    plan: {
      files: [{ parts, bytes }],
      log,
      logName,
      ids: idsOf(before.rows, target),
      notes: notesOf(source, target, before.openCalls),
      otherForms: [],
    },
    sessionId,
  }
}

/** If rows share an id, a log keeps the last one, at the position of the first. */
function idsOf(rows: readonly JsonRow[], { layout }: Target): string[] {
  const ids = rows.map(({ id }) => String(id))
  return layout === 'jsonl' ? [...new Set(ids)] : ids
}

function noTurn(last: number): Refusal {
  const message =
    last < 2
      ? 'It has no second turn, so there is no turn with messages before it.'
      : `Turn not found. Use one from 2 to ${last}.`
  return { code: 'no-turn', message }
}

function notesOf(source: RecoverySource, target: Target, openCalls: number): string[] {
  return [
    source.agentFiles.length > 0
      ? 'The original session is not changed. Its sub-agents and saved outputs stay with it.'
      : 'The original session is not changed.',
    ...describeUse(source, target),
    ...(openCalls > 0
      ? [
          `${formatPlural(openCalls, 'tool call')} without a result ${openCalls === 1 ? 'is' : 'are'} left out: the model rejects a conversation with one.`,
        ]
      : []),
  ]
}

/** The conversation Gemini CLI had when a prompt was made, according to its files. */
interface ConversationBefore {
  rows: JsonRow[]
  directories: string[]
  /** Number of calls left out because they have no result: the model refuses a conversation with such a call. */
  openCalls: number
}

/**
 * The conversation before one of its messages, even if it was rewound or compressed later. null: the file of that message can no longer be
 * read in full.
 */
function conversationBefore(
  session: Session,
  offset: number,
  files: readonly DiscoveredFile[],
): ConversationBefore | null {
  const prompt = session.messages[offset]
  const own = prompt && fileOf(files, prompt)
  if (prompt === undefined || own === undefined) return null
  const held = heldBefore(readFileSync(own.absolutePath), own.path, prompt)
  if (held === null) return null
  const heldIds = new Set(held.rows.map(({ id }) => id))
  const elsewhere = rowsElsewhere(session, offset, own, files).filter(({ id }) => !heldIds.has(id))
  // A log requires an id for every message; documents of old versions may lack them.
  const rows = [...elsewhere, ...held.rows].map((row, at) =>
    typeof row.id === 'string' ? row : { ...row, id: `forked-${at + 1}` },
  )
  return { ...withoutOpenCalls(rows.map(withoutContext)), directories: held.directories }
}

/** Whether it holds messages that the CLI would continue from. */
function isTalk(path: string, bytes: Uint8Array): boolean {
  const { messages } = parseSessionFile({ path, bytes })
  return messages.some(
    ({ superseded, origin }) => superseded === null && (origin === 'human' || origin === 'model'),
  )
}

interface Held {
  rows: JsonRow[]
  directories: string[]
}

function fileOf(files: readonly DiscoveredFile[], { source }: Message): DiscoveredFile | undefined {
  return files.find(({ path }) => path === source.file)
}

/** Rows found only in earlier files of the session: the parts before a compression up to 0.24, a document that a log continues. */
function rowsElsewhere(
  session: Session,
  offset: number,
  own: DiscoveredFile,
  files: readonly DiscoveredFile[],
): JsonRow[] {
  const elsewhere = session.messages
    .slice(0, offset)
    .filter(({ source, superseded }) => source.file !== own.path && superseded === null)
  const known = new Map<string, Map<string, JsonRow>>()
  return elsewhere.flatMap((message): JsonRow[] => {
    const file = fileOf(files, message)
    if (file === undefined) return []
    const rows = known.get(file.path) ?? rowsByPlace(readFileSync(file.absolutePath))
    known.set(file.path, rows)
    const row = rows.get(placeOf(message.source))
    return row === undefined ? [] : [row]
  })
}

function heldBefore(bytes: Buffer, path: string, prompt: Message): Held | null {
  const { line, index = 0 } = prompt.source
  if (line !== undefined) return heldInLog(bytes, path, prompt)
  const { messages, directories } = readRow(bytes) ?? {}
  return Array.isArray(messages)
    ? { rows: messages.slice(0, index).filter(isRow), directories: textsOf(directories) }
    : null
}

/** The messages that result from the records before the prompt's first record. */
function heldInLog(bytes: Buffer, path: string, { id, source }: Message): Held {
  const before = new Map<string, JsonRow>()
  let [start, number] = [0, 0]
  const stateAt = (end: number): Held => {
    const parsed = parseSessionFile({ path, bytes: bytes.subarray(0, end) })
    const rows = drawnMessages(parsed).flatMap((message): JsonRow[] => {
      const row = before.get(message.id)
      return row === undefined ? [] : [row]
    })
    return { rows, directories: parsed.header.directories }
  }
  for (const line of linesOf(bytes)) {
    number += 1
    const record = readRow(line)
    const isOwn =
      id === '' ? number === source.line : record?.id === id && typeof record.$rewindTo !== 'string'
    if (isOwn) return stateAt(start)
    const list = record === null ? null : listIn(record)
    const at = id === '' ? -1 : (list?.findIndex((row) => isRow(row) && row.id === id) ?? -1)
    if (record !== null && list !== null && at >= 0) {
      const { rows, directories } = stateAt(start)
      const listed = list.slice(0, at).filter(isRow)
      return { rows: isRow(record.$set) ? listed : [...rows, ...listed], directories }
    }
    for (const row of list ?? (typeof record?.id === 'string' ? [record] : []))
      if (isRow(row) && typeof row.id === 'string') before.set(row.id, row)
    start += line.length + 1
  }
  return stateAt(bytes.length)
}

/** The messages that a record sets or adds at once; null for any other record. */
function listIn(record: JsonRow): unknown[] | null {
  const { messages } = isRow(record.$set) ? record.$set : typeof record.id === 'string' ? {} : record
  return Array.isArray(messages) ? messages : null
}

/** Each message of a file, by its position. */
function rowsByPlace(bytes: Buffer): Map<string, JsonRow> {
  const rows = new Map<string, JsonRow>()
  const addList = (list: unknown[], line?: number) => {
    for (const [index, row] of list.entries()) if (isRow(row)) rows.set(placeOf({ line, index }), row)
  }
  const document = readRow(bytes)
  if (document !== null && Array.isArray(document.messages)) addList(document.messages)
  let number = 0
  for (const line of linesOf(bytes)) {
    number += 1
    const record = readRow(line)
    if (record === null) continue
    rows.set(placeOf({ line: number }), record)
    addList(listIn(record) ?? [], number)
  }
  return rows
}

function placeOf({ line, index }: { line?: number | undefined; index?: number | undefined }): string {
  return `${line ?? ''} ${index ?? ''}`
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEW_LINE, start)
    yield bytes.subarray(start, end < 0 ? undefined : end)
    start = end < 0 ? bytes.length : end + 1
  }
}

const NEW_LINE = 0x0a

/** After a turn was aborted (0.57+) the CLI's context may precede a prompt in the same message, and a resume would leave out both. */
function withoutContext(row: JsonRow): JsonRow {
  if (row.type !== 'user' || !Array.isArray(row.content)) return row
  const said = row.content.filter(
    (part) => !(isRow(part) && typeof part.text === 'string' && CONTEXT.test(part.text)),
  )
  return said.length > 0 && said.length < row.content.length ? { ...row, content: said } : row
}

const CONTEXT = /^\s*<(?:session|hook)_context>/

function withoutOpenCalls(rows: readonly JsonRow[]): { rows: JsonRow[]; openCalls: number } {
  const answered = new Set<unknown>(rows.flatMap(({ content }) => idsIn(content, 'functionResponse')))
  for (const row of rows) for (const { id, result } of callsOf(row)) if (result) answered.add(id)
  const open = new Set<unknown>()
  const isOpen = (id: unknown) => {
    if (id === undefined || answered.has(id)) return false
    open.add(id)
    return true
  }
  const left = rows.flatMap((row): JsonRow[] => {
    if (row.type !== 'gemini') return [row]
    const calls = callsOf(row).filter(({ id }) => !isOpen(id))
    const parts = Array.isArray(row.content)
      ? row.content.filter((part) => !idsIn([part], 'functionCall').some(isOpen))
      : row.content
    const isSame =
      calls.length === callsOf(row).length &&
      (!Array.isArray(row.content) || (Array.isArray(parts) && parts.length === row.content.length))
    if (isSame) return [row]
    const isEmpty = calls.length === 0 && (parts === '' || (Array.isArray(parts) && parts.length === 0))
    return isEmpty
      ? []
      : [{ ...row, content: parts, ...(row.toolCalls !== undefined && { toolCalls: calls }) }]
  })
  return { rows: left, openCalls: open.size }
}

function callsOf({ toolCalls }: JsonRow): JsonRow[] {
  return Array.isArray(toolCalls) ? toolCalls.filter(isRow) : []
}

function idsIn(content: unknown, kind: 'functionCall' | 'functionResponse'): unknown[] {
  const parts = Array.isArray(content) ? content : [content]
  return parts.flatMap((part) => {
    const named = isRow(part) ? part[kind] : null
    return isRow(named) && typeof named.id === 'string' ? [named.id] : []
  })
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}
