import {
  type BudgetReport,
  type Coverage,
  type Doctor,
  type Handover,
  type Health,
  handoverQuerySchema,
  MAX_LIMIT,
  type MessagePage,
  messageQuerySchema,
  RESUME_SHELLS,
  type Resume,
  type SearchQuery,
  type SearchResult,
  type SessionDetail,
  type SessionList,
  type SessionQuery,
  searchQuerySchema,
  sessionQuerySchema,
  type UsageReport,
  usageQuerySchema,
} from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { z } from 'zod'
import type { KeyResolution } from './catalog/resolve-key.ts'
import type { Store } from './store.ts'

const MOST_ATTEMPTS = 5

/** What a command of the command line asks, whoever answers it: this very process, or a server that runs. */
export const commandQuestionSchema = z.discriminatedUnion('command', [
  z.object({ command: z.literal('list'), query: sessionQuerySchema, rows: z.number().nullable() }),
  z.object({ command: z.literal('show'), keyOrId: z.string(), project: z.string().optional() }),
  z.object({ command: z.literal('session'), keyOrId: z.string() }),
  z.object({ command: z.literal('messages'), keyOrId: z.string(), page: messageQuerySchema }),
  z.object({ command: z.literal('search'), query: searchQuerySchema }),
  z.object({ command: z.literal('usage'), query: usageQuerySchema }),
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
  list: { list: SessionList; health: Health }
  show: ShownSession
  session: { resolution: KeyResolution; detail: SessionDetail | null }
  messages: { resolution: KeyResolution; page: MessagePage | null }
  search: SearchResult
  usage: { report: UsageReport; budgets: BudgetReport }
  doctor: Doctor
  handover: { resolution: KeyResolution; handover: Handover | null }
  resume: { resolution: KeyResolution; plan: Resume | null }
}

export interface ShownSession {
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
      return {
        list: await everySession(store, question.query, question.rows ?? Number.POSITIVE_INFINITY),
        health: store.health(),
      }
    case 'show':
      return wholeSession(store, question)
    case 'session': {
      const resolution = store.resolve(question.keyOrId)
      return {
        resolution,
        detail: resolution.kind === 'one' ? await store.content.session(resolution.key) : null,
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
    case 'search':
      return searchAll(store, question.query)
    case 'usage':
      return { report: store.usage(question.query), budgets: store.budgets(question.query) }
    case 'doctor':
      return store.doctor()
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

/** What is meant among the sessions of a project; undefined: of all of them. */
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

/** What the index lost while it answered, as where a disk ran full, is read again before it is asked once more. */
async function searchAll(store: Store, query: SearchQuery): Promise<SearchResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await store.search(query)
    const { filesDone, filesTotal } = result.coverage
    if (filesDone === filesTotal || result.partial !== null || attempt === MOST_ATTEMPTS) return result
    await store.whenReady()
  }
}
