import { MAX_LIMIT, type SearchQuery, sessionQuerySchema } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { answerCommand } from './command-question.ts'
import type { Store } from './store.ts'

/** Which sessions are to leave together. What is null, or empty, names none. */
export interface LeavingAsked {
  /** Of sessions that are there. */
  keys: readonly string[]
  /** All of it. */
  project: string | null
  /** Those in which it finds something. */
  search: Omit<SearchQuery, 'limit' | 'cursor'> | null
}

/** The sessions that are named in one way or another, each once. `within`: none of another project. */
export async function leavingSessions(
  store: Store,
  { keys, project, search }: LeavingAsked,
  within?: string,
): Promise<SessionSummary[]> {
  const query = sessionQuerySchema.parse({ kind: 'all', project: project ?? within })
  const { list } = await answerCommand(store, { command: 'list', query, rows: null })
  const rows = new Map(list.sessions.map((session) => [session.key, session]))
  const wanted = new Set(project === null ? keys : [...rows.keys(), ...keys])
  if (search !== null) for (const key of await foundKeys(store, search)) wanted.add(key)
  return [...wanted].flatMap((key) => rows.get(key) ?? [])
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
