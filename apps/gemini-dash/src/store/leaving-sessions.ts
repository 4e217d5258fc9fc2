import { MAX_LIMIT, type SearchQuery, sessionQuerySchema } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { answerCommand } from './command-question.ts'
import type { LeavingForm } from './session/session-leaving.ts'
import type { Store } from './store.ts'

/** Which sessions are to leave together. What is null, or empty, names none. */
export interface LeavingAsked {
  /** Of sessions that are there. */
  keys: readonly string[]
  /** All of it. */
  project: string | null
  /** Those in which it finds something. */
  search: Omit<SearchQuery, 'limit' | 'cursor' | 'timeout'> | null
  form: LeavingForm
}

/**
 * The sessions that are named in one way or another, each once: none that is not named by its key and stands in the call of
 * another one that leaves. `within`: none of another project.
 */
export async function leavingSessions(
  store: Store,
  { keys, project, search, form }: LeavingAsked,
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

/** Keys of the sub-agents that are drawn in the call of another one of these. */
async function agentsInside(
  store: Store,
  sessions: readonly SessionSummary[],
  form: LeavingForm,
): Promise<ReadonlySet<string>> {
  const inside = new Set<string>()
  // who starts another one began before it
  const byStart = sessions.toSorted((a, b) => (a.startTime ?? '').localeCompare(b.startTime ?? ''))
  for (const { key, subagentKeys } of byStart) {
    if (subagentKeys.length === 0 || inside.has(key)) continue
    for (const agent of await store.content.leaving.agentsIn(key, form)) inside.add(agent)
  }
  return inside
}

async function foundKeys(
  store: Store,
  query: NonNullable<LeavingAsked['search']>,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  let cursor: string | undefined
  do {
    const found = await answerCommand(store, {
      command: 'search',
      query: { ...query, limit: MAX_LIMIT, cursor },
    })
    for (const { sessionKey } of found.hits) keys.add(sessionKey)
    cursor = found.nextCursor ?? undefined
  } while (cursor !== undefined)
  return keys
}
