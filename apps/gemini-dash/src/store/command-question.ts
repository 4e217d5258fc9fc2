import {
  type BudgetReport,
  type CostWhy,
  type Coverage,
  type Doctor,
  type Handover,
  type Health,
  handoverQuerySchema,
  MAX_LIMIT,
  type MessagePage,
  messageQuerySchema,
  type ProjectList,
  RESUME_SHELLS,
  type Resume,
  type SearchQuery,
  type SearchResult,
  type SessionDetail,
  type SessionList,
  type SessionQuery,
  searchQuerySchema,
  sessionQuerySchema,
  type UsageQuery,
  type UsageReport,
  type UsageWhy,
  usageQuerySchema,
  usageWhyQuerySchema,
} from '@gemini-dash/api'
import { formatCount } from '@gemini-dash/api/figures'
import type { Message, SessionChanges, SessionSummary } from 'gemini-sessions'
import { z } from 'zod'
import type { CommandsAnswer } from './session/find-command.ts'
import type { FixAnswer } from './session/find-fix.ts'
import type { ExportForm } from './session/session-content.ts'
import type { OwnTraces, Store } from './store.ts'
import type { KeyResolution } from './sync/resolve-key.ts'
import { read } from './written-messages.ts'

const MOST_ATTEMPTS = 5

/** What a command asks, whether this process or a running server answers. */
export const commandQuestionSchema = z.discriminatedUnion('command', [
  z.object({ command: z.literal('list'), query: sessionQuerySchema, rows: z.number().nullable() }),
  z.object({ command: z.literal('projects'), project: z.string().optional() }),
  z.object({ command: z.literal('show'), keyOrId: z.string(), project: z.string().optional() }),
  z.object({ command: z.literal('changes'), keyOrId: z.string(), project: z.string().optional() }),
  z.object({ command: z.literal('why'), keyOrId: z.string(), project: z.string().optional() }),
  z.object({ command: z.literal('session'), keyOrId: z.string() }),
  z.object({ command: z.literal('messages'), keyOrId: z.string(), page: messageQuerySchema }),
  z.object({
    command: z.literal('search'),
    query: searchQuerySchema,
    /** For an agent: the folders in which it works; null: include hits in what it has created itself. */
    forAgent: z.strictObject({ folders: z.array(z.string()).nullable() }).optional(),
  }),
  z.object({ command: z.literal('find-fix'), error: z.string(), project: z.string().optional() }),
  z.object({
    command: z.literal('find-command'),
    words: z.string(),
    project: z.string().optional(),
    limit: z.number(),
  }),
  z.object({ command: z.literal('usage'), query: usageQuerySchema }),
  z.object({ command: z.literal('usage-why'), query: usageWhyQuerySchema }),
  z.object({ command: z.literal('usage-summary'), query: usageWhyQuerySchema }),
  z.object({ command: z.literal('doctor') }),
  handoverQuerySchema.extend({ command: z.literal('handover'), keyOrId: z.string() }),
  z.object({
    command: z.literal('resume'),
    keyOrId: z.string(),
    shell: z.enum(RESUME_SHELLS),
    cli: z.object({ homes: z.array(z.string()), version: z.string().nullable() }),
  }),
])
export type CommandQuestion = z.infer<typeof commandQuestionSchema>

export interface CommandAnswers {
  list: {
    list: SessionList
    health: Health
    shortKeys: ShortKeys
    /** If no session is listed: how many of other kinds match. */
    others: { kind: OtherKind; total: number }[]
    unknownProject: UnknownProject
  }
  projects: { list: ProjectList; unread?: SessionList['unread'] }
  show: ShownSession
  changes: { resolution: KeyResolution; detail: SessionDetail | null; changes: SessionChanges | null }
  why: { resolution: KeyResolution; title: string; why: CostWhy | null; unread?: SessionDetail['unread'] }
  session: { resolution: KeyResolution; detail: SessionDetail | null; why: CostWhy | null }
  messages: { resolution: KeyResolution; page: MessagePage | null }
  search: {
    result: SearchResult
    shortKeys: ShortKeys
    /** For an agent: the sessions of `result`, and what was left out of the search. */
    forAgent?: { rows: SessionSummary[]; leftOut: OwnTraces | null }
    unknownProject: UnknownProject
  }
  'find-fix': FixAnswer
  'find-command': CommandsAnswer
  usage: { report: UsageReport; budgets: BudgetReport; unknownProject: UnknownProject }
  'usage-why': UsageWhy
  'usage-summary': {
    report: UsageReport
    why: UsageWhy
    budgets: BudgetReport
    unknownProject: UnknownProject
  }
  doctor: { report: Doctor; shortKeys: ShortKeys }
  handover: { resolution: KeyResolution; handover: Handover | null }
  resume: { resolution: KeyResolution; plan: Resume | null }
}

/** Kinds that a list excludes by default. */
const OTHER_KINDS = ['checkpoint', 'prompts-only'] as const
type OtherKind = (typeof OTHER_KINDS)[number]

/** If there are no rows because the filter matches no project, more likely by a typing error: a sentence with the projects there are. */
type UnknownProject = string | null
const MOST_PROJECTS_NAMED = 10

/** By full key, if a shorter prefix is unique. */
type ShortKeys = Record<string, string>

interface ShownSession {
  resolution: KeyResolution
  detail: SessionDetail | null
  /** Uncut. */
  messages: Message[] | null
  coverage: Coverage
}

export type AskedOf<Name extends CommandQuestion['command']> = Extract<CommandQuestion, { command: Name }>

export async function answerCommand<Name extends CommandQuestion['command']>(
  store: Store,
  question: AskedOf<Name>,
): Promise<CommandAnswers[Name]>
export async function answerCommand(store: Store, question: CommandQuestion): Promise<unknown> {
  switch (question.command) {
    case 'list':
      return listAnswer(store, question)
    case 'projects': {
      const { unread } = await store.sessions(sessionQuerySchema.parse({ kind: 'all', limit: 1 }))
      return { list: store.projectsMeant(question.project), unread }
    }
    case 'show':
      return wholeSession(store, question)
    case 'changes': {
      const resolution = await resolveWithin(store, question.keyOrId, question.project)
      if (resolution.kind !== 'one') return { resolution, detail: null, changes: null }
      const [detail, changes] = await Promise.all([
        store.content.session(resolution.key),
        store.content.answer('changes', resolution.key, {}),
      ])
      return { resolution, detail, changes: changes && read(changes) }
    }
    case 'why':
      return whyOfSession(store, question)
    case 'session': {
      const resolution = store.resolve(question.keyOrId)
      if (resolution.kind !== 'one') return { resolution, detail: null, why: null }
      return {
        resolution,
        detail: await store.content.session(resolution.key),
        why: await store.content.answer('why', resolution.key, {}),
      }
    }
    case 'messages': {
      const resolution = store.resolve(question.keyOrId)
      return {
        resolution,
        page:
          resolution.kind === 'one'
            ? await store.content.answer('messages', resolution.key, question.page)
            : null,
      }
    }
    case 'search': {
      const { query, forAgent } = question
      const leftOut = forAgent?.folders ? store.ownTraces(forAgent.folders) : null
      const result =
        forAgent === undefined ? await searchAll(store, query) : await searchForAgent(store, query, leftOut)
      const keys = Object.keys(result.sessions)
      return {
        result,
        shortKeys: store.shortKeys(keys),
        unknownProject: result.total === 0 ? unknownProject(store, query) : null,
        ...(forAgent !== undefined && { forAgent: { rows: store.rowsOf(keys), leftOut } }),
      }
    }
    case 'find-fix':
      return store.findFix(question)
    case 'find-command':
      return store.findCommand(question)
    case 'usage':
      return usageAnswer(store, question.query)
    case 'usage-why':
      return store.usageWhy(question.query)
    case 'usage-summary': {
      const { query } = question
      const answer = usageAnswer(store, { ...query, by: 'day', format: 'json' })
      return { ...answer, why: await store.usageWhy(query) }
    }
    case 'doctor': {
      const report = await store.doctor()
      const { atRisk, expiring } = report.retention
      return {
        report,
        shortKeys: store.shortKeys([...atRisk, ...expiring].map(({ sessionKey }) => sessionKey)),
      }
    }
    case 'handover': {
      const { keyOrId, budget, redact } = question
      const resolution = store.resolve(keyOrId)
      if (resolution.kind !== 'one') return { resolution, handover: null }
      return {
        resolution,
        handover: await store.content.answer('handover', resolution.key, { budget, redact }),
      }
    }
    case 'resume': {
      const resolution = store.resolve(question.keyOrId)
      const { shell, cli } = question
      return {
        resolution,
        plan: resolution.kind === 'one' ? store.resume(resolution.key, shell, cli) : null,
      }
    }
  }
}

async function listAnswer(store: Store, { query, rows }: AskedOf<'list'>): Promise<CommandAnswers['list']> {
  const list = await everySession(store, query, rows ?? Number.POSITIVE_INFINITY)
  const shortKeys = store.shortKeys(list.sessions.map(({ key }) => key))
  const others: CommandAnswers['list']['others'] = []
  for (const kind of list.total === 0 && query.kind === 'main' ? OTHER_KINDS : []) {
    const { total } = await store.sessions({ ...query, kind, limit: 1 })
    if (total > 0) others.push({ kind, total })
  }
  const unknown = list.total === 0 ? unknownProject(store, query) : null
  return { list, health: store.health(), shortKeys, others, unknownProject: unknown }
}

function usageAnswer(store: Store, query: UsageQuery): CommandAnswers['usage'] {
  const report = store.usage(query)
  const unknown = report.total.sessions === 0 ? unknownProject(store, query) : null
  return { report, budgets: store.budgets(query), unknownProject: unknown }
}

function unknownProject(store: Store, { project }: { project?: string }): UnknownProject {
  if (project === undefined || store.projectsMeant(project).total > 0) return null
  const { projects, total } = store.projectsMeant(undefined)
  const names = projects.slice(0, MOST_PROJECTS_NAMED).map(({ name }) => name)
  const rest = total > names.length ? ` and ${formatCount(total - names.length)} more` : ''
  const known = total === 0 ? 'There are none.' : `Projects: ${names.join(', ')}${rest}.`
  return `No project matches "${project}". ${known}`
}

async function everySession(store: Store, query: SessionQuery, limit: number): Promise<SessionList> {
  const page = (cursor: string | undefined, rows: number) =>
    store.sessions({ ...query, cursor, limit: Math.min(rows, MAX_LIMIT) })

  const first = await page(query.cursor, limit)
  const sessions = [...first.sessions]
  let { nextCursor } = first
  while (nextCursor !== null && sessions.length < limit) {
    const next = await page(nextCursor, limit - sessions.length)
    sessions.push(...next.sessions)
    nextCursor = next.nextCursor
  }
  return { ...first, sessions, nextCursor }
}

async function wholeSession(store: Store, { keyOrId, project }: AskedOf<'show'>): Promise<ShownSession> {
  const resolution = await resolveWithin(store, keyOrId, project)
  const { filesDone, filesTotal } = store.health().index
  const coverage = { filesDone, filesTotal }
  if (resolution.kind !== 'one') return { resolution, detail: null, messages: null, coverage }
  const detail = await store.content.session(resolution.key)
  return { resolution, detail, messages: await store.content.allMessages(resolution.key), coverage }
}

async function whyOfSession(
  store: Store,
  { keyOrId, project }: AskedOf<'why'>,
): Promise<CommandAnswers['why']> {
  const resolution = await resolveWithin(store, keyOrId, project)
  if (resolution.kind !== 'one') return { resolution, title: '', why: null }
  const detail = await store.content.session(resolution.key)
  const why = await store.content.answer('why', resolution.key, {})
  return { resolution, title: detail?.session.title ?? '', why, unread: detail?.unread }
}

/** What the key refers to within a project; undefined: among all sessions. */
async function resolveWithin(
  store: Store,
  keyOrId: string,
  project: string | undefined,
): Promise<KeyResolution> {
  const resolution = store.resolve(keyOrId)
  if (resolution.kind === 'none' || project === undefined) return resolution
  const { sessions } = await everySession(
    store,
    sessionQuerySchema.parse({ project, kind: 'all' }),
    Number.POSITIVE_INFINITY,
  )
  const own = new Set(sessions.map(({ key }) => key))
  const keys = (resolution.kind === 'one' ? [resolution.key] : resolution.keys).filter((key) => own.has(key))
  const [key] = keys
  if (key === undefined) return { kind: 'none' }
  return keys.length === 1 ? { kind: 'one', key } : { kind: 'ambiguous', keys }
}

/** Groups that the index lost while it answered, for example because the disk filled up, are read again before the next attempt. */
async function searchAll(store: Store, query: SearchQuery): Promise<SearchResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await store.search(query)
    const { filesDone, filesTotal } = result.coverage
    const isWhole = filesDone === filesTotal || result.partial !== null
    if (isWhole || attempt === MOST_ATTEMPTS) return result
    await store.whenReady()
  }
}

/** Covers what has been read by now: an agent would rather ask again than wait. */
function searchForAgent(store: Store, query: SearchQuery, leftOut: OwnTraces | null): Promise<SearchResult> {
  const { running = null, tools = [] } = leftOut ?? {}
  const ofRunning = {
    kind: 'sessions' as const,
    keys: [running?.key ?? '', ...(running?.subagentKeys ?? [])],
  }
  const ofTools = { kind: 'tools' as const, names: tools }
  return store.search(query, {
    without: [...(running === null ? [] : [ofRunning]), ...(tools.length === 0 ? [] : [ofTools])],
  })
}

/** Which sessions to export together. Null or empty selects none. */
export interface ExportRequest {
  /** Of existing sessions. */
  keys: readonly string[]
  /** All sessions of the project. */
  project: string | null
  /** Those with a hit. */
  search: Omit<SearchQuery, 'limit' | 'cursor'> | null
  form: ExportForm
}

/**
 * The selected sessions, each once. A sub-agent that is exported inside another session is left out, unless it was selected by its key.
 * `within`: only sessions of this project.
 */
export async function sessionsToExport(
  store: Store,
  { keys, project, search, form }: ExportRequest,
  within?: string,
): Promise<SessionSummary[]> {
  const query = sessionQuerySchema.parse({ kind: 'all', project: project ?? within })
  const { list } = await answerCommand(store, { command: 'list', query, rows: null })
  const rows = new Map(list.sessions.map((session) => [session.key, session]))
  const wanted = new Set(project === null ? keys : [...rows.keys(), ...keys])
  if (search !== null) for (const key of await foundKeys(store, search)) wanted.add(key)
  const sessions = [...wanted].flatMap((key) => rows.get(key) ?? [])
  const inside = await agentsInside(store, sessions, form)
  return sessions.filter(({ key }) => keys.includes(key) || !inside.has(key))
}

/** Keys of the sub-agents that are exported inside another one of these. */
async function agentsInside(
  store: Store,
  sessions: readonly SessionSummary[],
  form: ExportForm,
): Promise<ReadonlySet<string>> {
  const inside = new Set<string>()
  // a parent begins before its sub-agents
  const byStart = sessions.toSorted((a, b) => (a.startTime ?? '').localeCompare(b.startTime ?? ''))
  for (const { key, subagentKeys } of byStart) {
    if (subagentKeys.length === 0 || inside.has(key)) continue
    for (const agent of await store.content.exports.agentsIn(key, form)) inside.add(agent)
  }
  return inside
}

async function foundKeys(
  store: Store,
  query: NonNullable<ExportRequest['search']>,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  let cursor: string | undefined
  do {
    const { result } = await answerCommand(store, {
      command: 'search',
      query: { ...query, limit: MAX_LIMIT, cursor },
    })
    for (const { sessionKey } of result.hits) keys.add(sessionKey)
    cursor = result.nextCursor ?? undefined
  } while (cursor !== undefined)
  return keys
}
