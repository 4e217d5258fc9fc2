import { searchQuerySchema, sessionQuerySchema } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import { readQuery } from '../../environment/read-query.ts'
import { withStore } from '../../environment/with-answer.ts'
import type { CommandQuestion } from '../../store/command-question.ts'
import { leavingSessions } from '../../store/leaving-sessions.ts'
import type { LeavingForm } from '../../store/session/session-leaving.ts'
import type { Store } from '../../store/store.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { CommandInput } from '../../terminal/commands.ts'
import { chosenSession } from '../show.ts'

const MOST_HITS = 1000

/** Opens the store, and hands on the sessions that keys, `--project` and `--query` name, each once. */
export async function withChosenSessions(
  input: CommandInput,
  form: LeavingForm,
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
    const keys = positionals.map((keyOrId) => chosenSession(keyOrId, store.resolve(keyOrId)))
    const sessions = await leavingSessions(store, { keys, project: filter, search, form }, project)
    const found = new Set(sessions.map(({ key }) => key))
    const missing = positionals.find((_, place) => !found.has(keys[place] ?? ''))
    if (missing !== undefined)
      throw new CliError(1, `There is no session "${missing}" in a project "${project}".`)
    if (sessions.length === 0)
      throw new CliError(
        1,
        'No session is meant by this.',
        'gemini-dash list and search tell which there are.',
      )
    await use(store, sessions)
  })
}
