import { searchQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { readQuery } from '../../environment/read-query.ts'
import { withStore } from '../../environment/with-answer.ts'
import { answerCommand, type CommandQuestion } from '../../store/command-question.ts'
import type { Store } from '../../store/store.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { CommandInput } from '../../terminal/commands.ts'
import { chosenSession } from '../show.ts'

const MOST_HITS = 1000

/** Opens the store, and hands on the sessions that keys, `--project` and `--query` name, each once. */
export async function withChosenSessions(
  input: CommandInput,
  use: (store: Store, sessions: SessionSummary[]) => Promise<void>,
): Promise<void> {
  const { positionals, flags } = input
  const { project, query } = flags
  const filter = project !== undefined && positionals.length === 0 && query === undefined ? project : null
  if (positionals.length === 0 && filter === null && query === undefined) {
    throw new CliError(2, 'Which sessions?', 'Name them by KEY, by --project or by --query.')
  }
  const search =
    query === undefined ? null : readQuery(searchQuerySchema, { q: query, limit: MOST_HITS, project })
  const list = readQuery(sessionQuerySchema, { kind: 'all', project })
  const questions: CommandQuestion[] = [
    ...positionals.map((keyOrId) => ({ command: 'show' as const, keyOrId, project })),
    ...(filter === null ? [] : [{ command: 'list' as const, query: list, rows: null }]),
    ...(search === null ? [] : [{ command: 'search' as const, query: search }]),
  ]
  await withStore(input, questions, async (store) => {
    const all = await answerCommand(store, { command: 'list', query: list, rows: null })
    const rows = new Map(all.list.sessions.map((session) => [session.key, session]))
    const keys = new Set<string>(filter === null ? [] : rows.keys())
    for (const keyOrId of positionals) {
      const key = chosenSession(keyOrId, store.resolve(keyOrId))
      if (!rows.has(key)) throw new CliError(1, `There is no session "${keyOrId}" in a project "${project}".`)
      keys.add(key)
    }
    if (search !== null) for (const key of await foundKeys(store, search)) keys.add(key)
    const sessions = [...keys].flatMap((key) => rows.get(key) ?? [])
    if (sessions.length === 0)
      throw new CliError(
        1,
        'No session is meant by this.',
        'gemini-dash list and search tell which there are.',
      )
    await use(store, sessions)
  })
}

async function foundKeys(
  store: Store,
  query: ReturnType<typeof searchQuerySchema.parse>,
): Promise<Set<string>> {
  const keys = new Set<string>()
  let cursor: string | undefined
  do {
    const found = await answerCommand(store, { command: 'search', query: { ...query, cursor } })
    for (const { sessionKey } of found.hits) keys.add(sessionKey)
    cursor = found.nextCursor ?? undefined
  } while (cursor !== undefined)
  return keys
}
