import type { Coverage } from '@gemini-dash/api'
import { bestCommands, type CommandQuery, type FoundCommand } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'
import type { RecordedCommand } from '../reader/make-fixes.ts'
import { type SearchScope, sessionKeysWhere } from '../search/search-scope.ts'
import { NO_PROJECT } from './find-fix.ts'

/** A command line of one project, with its runs in all sessions. */
export interface ProjectCommand extends FoundCommand {
  session: SessionSummary
  /** As recorded. */
  command: string
  /** The folder named in the call; null: the project's. */
  folder: string | null
  state: RecordedCommand['state']
}

export interface CommandsAnswer {
  commands: ProjectCommand[]
  /** Why there are none, as a sentence; null if there are. */
  refused: string | null
  coverage: Coverage
}

interface CommandSources {
  commands: (query: CommandQuery) => Promise<FoundCommand[]>
  read: (key: string, messageKey: string, place: number) => Promise<RecordedCommand | null>
  isMeant: ((summary: SessionSummary) => boolean) | null
}

/** Words of a question that do not occur in commands. */
const ASKING =
  /^(?:how|what|which|where|do|does|did|is|are|was|were|can|i|we|you|to|the|a|an|here|of|this|that|command|commands|used|usually|it)$/
const MOST_WORDS = 8

/** How something was run in these sessions. */
export async function findCommand(
  text: string,
  limit: number,
  scope: SearchScope,
  { commands, read, isMeant }: CommandSources,
): Promise<CommandsAnswer> {
  const { coverage } = scope
  const tries = wordsOf(text)
  const [words] = tries
  if (words === undefined)
    return { commands: [], refused: 'Name a program, or words of its command.', coverage }
  const meant = isMeant && sessionKeysWhere(scope, isMeant)
  if (meant?.length === 0) return { commands: [], refused: NO_PROJECT, coverage }
  const found = await commands({ tries, sessions: meant })
  const best = bestCommands(foldByProject(found, scope)).slice(0, limit)
  const answers = await Promise.all(
    best.map(async (row): Promise<ProjectCommand[]> => {
      const recorded = await read(row.session.key, row.messageKey, row.place)
      return recorded === null ? [] : [{ ...row, ...recorded }]
    }),
  )
  const shown = answers.flat()
  const asked = (tries[1] ?? words).map((word) => `“${word}”`).join(' and ')
  const refused = shown.length > 0 ? null : `No session ran a command with ${asked} in it.`
  return { commands: shown, refused, coverage }
}

/** First as typed, then without the words that only a sentence needs, and in the singular. */
function wordsOf(text: string): string[][] {
  const said = text
    .toLowerCase()
    .replace(/[?`"']/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
  const telling = said.filter((word) => !ASKING.test(word))
  const single = telling.filter((word) => !/^(?:run|runs|running|start|started|execute)$/.test(word))
  const tries = [said, telling, single.map((word) => word.replace(/(?<=\w{3})s$/, ''))]
  return tries.filter((words) => words.length > 0)
}

type Row = FoundCommand & { session: SessionSummary }

/** Equal lines of a project once, with the most informative run. */
function foldByProject(found: readonly FoundCommand[], { sessions }: SearchScope): Row[] {
  const rows = new Map<string, Row>()
  for (const command of found) {
    const session = sessions.get(command.sessionKey)?.summary
    if (session === undefined) continue
    const id = `${session.project.key}\n${command.line.trim()}`
    const known = rows.get(id)
    // the best comes first
    if (known === undefined) rows.set(id, { ...command, session })
    else
      Object.assign(known, { worked: known.worked + command.worked, failed: known.failed + command.failed })
  }
  return [...rows.values()]
}
