import type {
  ComparedSession,
  Comparison,
  FileHistory,
  FileHistoryEntry,
  FileHistoryQuery,
} from '@gemini-dash/api'
import type { IndexSearchRequest, IndexSearchResult, IndexTree } from '@gemini-dash/session-index'
import {
  alignTurns,
  type Message,
  messageText,
  resolveTouchedPath,
  type SessionSummary,
  type ToolStats,
  type TouchedFile,
  type Turn,
  touchedPathName,
} from 'gemini-sessions'
import type { TouchingMessage } from '../reader/make-answers.ts'
import { type SearchScope, sessionKeysWhere } from '../search/search-scope.ts'
import { readSearchCursor, writeSearchCursor } from '../search/searches.ts'
import type { SessionContent } from './session-content.ts'

/** What is known of one of the two. */
interface ComparedSource {
  session: ComparedSession['session']
  outline: Turn[]
  tools: ComparedTool[]
  files: TouchedFile[]
  /** The messages at its end. */
  tail: Message[]
}

type ComparedTool = NonNullable<Comparison['tools'][number]['a']> & { name: string }

interface KnownSession {
  summary: Pick<SessionSummary, 'subagentKeys'>
  record: { tools: readonly ToolStats[] }
}

/** The tools of a session, its own calls and those together with its sub-agents. */
export function comparedTools(sessions: ReadonlyMap<string, KnownSession>, key: string): ComparedTool[] {
  const rows = new Map<string, ComparedTool>()
  const visit = (of: string) => {
    const session = sessions.get(of)
    for (const { name, calls, errors } of session?.record.tools ?? []) {
      const row = rows.get(name) ?? { name, calls: 0, errors: 0, withSubagents: { calls: 0, errors: 0 } }
      const { withSubagents } = row
      rows.set(name, {
        name,
        calls: row.calls + (of === key ? calls : 0),
        errors: row.errors + (of === key ? errors : 0),
        withSubagents: { calls: withSubagents.calls + calls, errors: withSubagents.errors + errors },
      })
    }
    session?.summary.subagentKeys.forEach(visit)
  }
  visit(key)
  return [...rows.values()]
}

const MAX_ANSWER_LENGTH = 400
/** Messages at the end, among which the last answer is. */
const COMPARED_TAIL = 100

/** null: there is no such session. */
export async function readCompared(
  content: SessionContent,
  key: string,
  tools: ComparedTool[],
): Promise<ComparedSource | null> {
  const detail = await content.session(key)
  if (detail === null) return null
  const { session, outline, messageTotal } = detail
  const offset = Math.max(0, messageTotal - COMPARED_TAIL)
  const [files, page] = await Promise.all([
    content.answer('files', key, {}),
    content.answer('messages', key, { offset, limit: COMPARED_TAIL, superseded: 'include' }),
  ])
  return { session, outline, tools, files: files?.files ?? [], tail: page?.messages ?? [] }
}

/** Two sessions side by side: turns, tools and files that belong together in one row. */
export function compareSessions(a: ComparedSource, b: ComparedSource): Comparison {
  const tools = join(a.tools, b.tools, ({ name }) => name)
  const files = join(a.files, b.files, ({ name }) => name)
  return {
    a: toCompared(a),
    b: toCompared(b),
    turns: alignTurns(a.outline, b.outline),
    tools: tools
      .map((row) => ({ name: row.name, a: toFigures(row.a), b: toFigures(row.b) }))
      .sort((one, other) => calls(other) - calls(one) || compareNames(one, other)),
    files: files.sort((one, other) => changes(other) - changes(one) || compareNames(one, other)),
  }
}

function toCompared({ session, outline, tail }: ComparedSource): ComparedSession {
  const last = tail.findLast(
    (message) =>
      message.origin === 'model' && message.superseded === null && messageText(message).trim() !== '',
  )
  return {
    session,
    turns: outline.filter(({ number }) => number > 0).length,
    lastAnswer: last === undefined ? null : { messageKey: last.key, text: beginningOf(messageText(last)) },
  }
}

function beginningOf(text: string): string {
  const characters = Array.from(text.trim().slice(0, MAX_ANSWER_LENGTH * 2))
  return characters.length <= MAX_ANSWER_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_ANSWER_LENGTH - 1).join('')}…`
}

interface Row<T> {
  name: string
  a: T | null
  b: T | null
}

function join<T>(a: readonly T[], b: readonly T[], nameOf: (each: T) => string): Row<T>[] {
  const rows = new Map<string, Row<T>>()
  const put = (side: 'a' | 'b') => (each: T) => {
    const name = nameOf(each)
    const row = rows.get(name) ?? { name, a: null, b: null }
    row[side] = each
    rows.set(name, row)
  }
  a.forEach(put('a'))
  b.forEach(put('b'))
  return [...rows.values()]
}

function toFigures(tool: ComparedTool | null): Comparison['tools'][number]['a'] {
  if (tool === null) return null
  const { calls, errors, withSubagents } = tool
  return { calls, errors, withSubagents }
}

function calls({ a, b }: Comparison['tools'][number]): number {
  return (a?.withSubagents.calls ?? 0) + (b?.withSubagents.calls ?? 0)
}

function changes({ a, b }: Row<TouchedFile>): number {
  return [a, b].reduce((sum, file) => sum + (file?.edits ?? 0) + (file?.writes ?? 0), 0)
}

function compareNames(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1
}

interface Sources {
  search: (request: IndexSearchRequest) => Promise<IndexSearchResult>
  /** The calls of these messages of one session that touched the file. */
  read: (sessionKey: string, path: string, messageKeys: string[]) => Promise<TouchingMessage[]>
}

const CHANGING_TOOLS = ['replace', 'write_file']
/** A page that takes longer ends with the sessions that were read by then; its cursor leads on. */
const DEADLINE_MS = 10_000

/**
 * What all sessions did to one file. The index tells which messages, so that only those of the wanted page are read. A
 * session of another project names the file in full; one of its own may name it relative to the root.
 */
export async function fileHistory(
  query: FileHistoryQuery,
  scope: SearchScope,
  { search, read }: Sources,
  clock: () => number = () => performance.now(),
): Promise<FileHistory> {
  const untilMs = clock() + DEADLINE_MS
  const project = scope.projects.find(({ key, name }) => key === query.project || name === query.project)
  const root = project?.path ?? null
  const path = resolveTouchedPath(query.path, root)
  const { after } = readSearchCursor(query.cursor)
  const found = await search({
    mode: 'words',
    tree: treeOf(path, root, project?.key, query, scope),
    pattern: '',
    sort: 'recent',
    limit: query.limit,
    ...(after && { after }),
  })
  const keysBySession = new Map<string, string[]>()
  for (const { sessionKey, messageKey } of found.hits) {
    if (messageKey === null) continue
    keysBySession.set(sessionKey, [...(keysBySession.get(sessionKey) ?? []), messageKey])
  }
  const entries: FileHistoryEntry[] = []
  const answered = new Set<string>()
  for (const [sessionKey, messageKeys] of keysBySession) {
    if (answered.size > 0 && clock() > untilMs) break
    answered.add(sessionKey)
    const summary = scope.sessions.get(sessionKey)?.summary
    if (summary === undefined) continue
    const { key, title, kind, project } = summary
    const messages = await read(sessionKey, path, messageKeys)
    entries.push(...messages.map((message) => ({ session: { key, title, kind, project }, ...message })))
  }
  const unread = found.hits.findIndex((hit) => hit.messageKey !== null && !answered.has(hit.sessionKey))
  const hits = unread === -1 ? found.hits : found.hits.slice(0, unread)
  const shown = new Set(hits.map(({ sessionKey, messageKey }) => `${sessionKey}\n${messageKey}`))
  const last = found.positions[hits.length - 1] ?? null
  const isMore = found.hasMore || hits.length < found.hits.length
  return {
    path,
    name: touchedPathName(path, root),
    project: project === undefined ? null : { key: project.key, name: project.name, path: root },
    entries: entries
      .filter(({ session, messageKey }) => shown.has(`${session.key}\n${messageKey}`))
      .map((entry) => ({ ...entry, calls: entry.calls.filter((call) => isShown(call.action, query.show)) }))
      .filter(({ calls }) => calls.length > 0)
      .sort((a, b) => (Date.parse(b.timestamp ?? '') || 0) - (Date.parse(a.timestamp ?? '') || 0)),
    total: found.messageTotal,
    sessionTotal: found.sessionTotal,
    coverage: scope.coverage,
    nextCursor: isMore && last ? writeSearchCursor({ after: last, continueAt: null, endAt: null }) : null,
  }
}

function treeOf(
  path: string,
  root: string | null,
  projectKey: string | undefined,
  query: FileHistoryQuery,
  scope: SearchScope,
): IndexTree {
  const inProject: IndexTree = {
    kind: 'and',
    of: [
      { kind: 'sessions', keys: sessionKeysWhere(scope, ({ project }) => project.key === projectKey) },
      { kind: 'one-file', path, root },
    ],
  }
  const anywhere: IndexTree = { kind: 'one-file', path, root: null }
  const isAbsolute = /^(?:\/|[A-Za-z]:\/)/.test(path)
  const touched: IndexTree = isAbsolute ? { kind: 'or', of: [anywhere, inProject] } : inProject
  const changes: IndexTree = {
    kind: 'or',
    of: [
      { kind: 'tools', names: CHANGING_TOOLS },
      { kind: 'has', what: 'diff' },
    ],
  }
  if (query.show === 'changes') return { kind: 'and', of: [touched, changes] }
  return touched
}

function isShown(action: string, show: FileHistoryQuery['show']): boolean {
  if (show === 'all') return true
  const isChange = action === 'wrote' || action === 'edited'
  return show === 'changes' ? isChange : !isChange
}
