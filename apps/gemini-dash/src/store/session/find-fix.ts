import type { Coverage } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import {
  type EditQuery,
  type FoundEdit,
  type IndexSearchRequest,
  type IndexSearchResult,
  type IndexTree,
  phraseOf,
} from '@gemini-dash/session-index'
import { foldPath, resolveTouchedPath, type SessionSummary } from 'gemini-sessions'
import type { SessionFix } from '../reader/make-fixes.ts'
import { type ErrorText, piecesWithoutNumbers, readErrorText } from '../search/error-text.ts'
import { type SearchScope, sessionKeysWhere } from '../search/search-scope.ts'

/** What fixed an error, according to the record. */
export interface FoundFix extends SessionFix {
  session: SessionSummary
  /** How many of the edited files now differ from what was written, as far as known. */
  changed: { files: number; of: number; unknown: number }
}

export interface FixAnswer {
  fixes: FoundFix[]
  /** Why there are none, as a sentence; null if there are. */
  refused: string | null
  coverage: Coverage
}

interface FixSources {
  search: (request: IndexSearchRequest) => Promise<IndexSearchResult>
  read: (key: string, messageKeys: string[], error: ErrorText) => Promise<SessionFix[]>
  edits: (query: EditQuery) => Promise<FoundEdit[]>
  /** Filter by project; null: all. */
  isMeant: ((summary: SessionSummary) => boolean) | null
}

export const NO_PROJECT = 'No project matches this name.'
const MOST_FIXES = 3
/** Messages to look at, newest first. */
const MOST_HITS = 200
/** Sessions to open, and how many at a time. */
const MOST_SESSIONS = 24
const AT_ONCE = 4
/** Per phrase: more words add nothing. */
const MOST_WORDS = 40
/** If numbers may differ, fewer words match any error. */
const LEAST_WORDS_OF_PIECES = 4

/** How an error was fixed before. Nothing is guessed: it is recorded, and the same check passed later. */
export async function findFix(text: string, scope: SearchScope, sources: FixSources): Promise<FixAnswer> {
  const { coverage } = scope
  const refuse = (refused: string): FixAnswer => ({ fixes: [], refused, coverage })
  const error = readErrorText(text)
  if (error === null) return refuse('That is too short to search for. Give a whole line of the error.')
  const meant = sources.isMeant === null ? null : sessionKeysWhere(scope, sources.isMeant)
  if (meant?.length === 0) return refuse(NO_PROJECT)
  let sessions = 0
  for (const tree of treesOf(error)) {
    const found = await findFixed(error, tree, meant, scope, sources)
    if (found.fixes.length > 0) {
      const best = found.fixes.toSorted(compareFixes).slice(0, MOST_FIXES)
      const fixes = await Promise.all(best.map((fix) => withChanged(fix, scope, sources)))
      return { fixes, refused: null, coverage }
    }
    // the session that asks contains all of it, too
    sessions = Math.max(sessions, found.sessions)
  }
  if (sessions === 0) return refuse('No session has this error text in the output of a failed call.')
  const where = sessions === 1 ? 'One session holds' : `${formatPlural(sessions, 'session')} hold`
  return refuse(
    `${where} this error text or one of its lines, but the same check did not pass later in any of them.`,
  )
}

/** Its telling line literally, then with other numbers. */
function* treesOf({ telling }: ErrorText): Generator<IndexTree> {
  const phrase = phraseOf(telling)
  if (phrase !== null) yield { ...phrase, words: phrase.words.slice(0, MOST_WORDS) }
  const pieces = piecesWithoutNumbers(telling).flatMap((piece) => phraseOf(piece) ?? [])
  const words = pieces.reduce((sum, piece) => sum + piece.words.length, 0)
  if (words >= LEAST_WORDS_OF_PIECES && words < (phrase?.words.length ?? 0)) yield { kind: 'and', of: pieces }
}

type Unweighed = Omit<FoundFix, 'changed'>

async function findFixed(
  error: ErrorText,
  tree: IndexTree,
  meant: string[] | null,
  scope: SearchScope,
  { search, read }: FixSources,
) {
  const said: IndexTree = {
    kind: 'and',
    of: [
      ...(tree.kind === 'and' ? tree.of : [tree]),
      { kind: 'in', fields: ['tool-output'] },
      { kind: 'is', what: 'error' },
      ...(meant === null ? [] : [{ kind: 'sessions' as const, keys: meant }]),
    ],
  }
  const found = await search({
    ...{ mode: 'words', pattern: '', sort: 'recent', limit: MOST_HITS },
    tree: said,
  })
  const bySession = new Map<string, string[]>()
  for (const { sessionKey, messageKey } of found.hits)
    if (messageKey !== null) bySession.set(sessionKey, [...(bySession.get(sessionKey) ?? []), messageKey])
  // first those in which something that had failed later succeeded
  const hopeOf = ([key]: [string, string[]]) =>
    scope.sessions.get(key)?.summary.fates?.laterSucceeded === 0 ? 1 : 0
  const fixes: Unweighed[] = []
  const waiting = [...bySession].sort((a, b) => hopeOf(a) - hopeOf(b)).slice(0, MOST_SESSIONS)
  while (waiting.length > 0 && fixes.filter(isWhole).length < MOST_FIXES) {
    const opened = await Promise.all(
      waiting.splice(0, AT_ONCE).map(async ([key, messageKeys]): Promise<Unweighed[]> => {
        const session = scope.sessions.get(key)?.summary
        if (session === undefined) return []
        return (await read(key, messageKeys, error)).map((fix) => ({ ...fix, session }))
      }),
    )
    fixes.push(...opened.flat())
  }
  return { fixes, sessions: found.sessionTotal }
}

function isWhole({ match, step }: Unweighed): boolean {
  return match.isExact && match.share === 1 && step !== null
}

/** Best match first, then one that shows what was done, then the newest. */
function compareFixes(a: Unweighed, b: Unweighed): number {
  return (
    Number(b.match.isExact) - Number(a.match.isExact) ||
    b.match.share - a.match.share ||
    Number(b.step !== null) - Number(a.step !== null) ||
    Number(a.passedAs !== null) - Number(b.passedAs !== null) ||
    (b.passed.timestamp ?? '').localeCompare(a.passed.timestamp ?? '')
  )
}

/** Takes into account what other sessions did to its files since. */
async function withChanged(fix: Unweighed, scope: SearchScope, { edits }: FixSources): Promise<FoundFix> {
  const { files, session, passed } = fix
  const open = files.filter(({ state }) => state === 'stands' || state === 'unknown')
  const names = open.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
  const later =
    names.length === 0 ? [] : await edits({ names, afterMs: Date.parse(passed.timestamp ?? '') || 0 })
  const changedLater = new Set(
    later.flatMap(({ sessionKey, paths }) => {
      const other = scope.sessions.get(sessionKey)?.summary
      if (other === undefined || sessionKey === session.key) return []
      return paths.map((path) => foldPath(resolveTouchedPath(path, other.project.path)))
    }),
  )
  const isChanged = ({ state, path }: SessionFix['files'][number]) =>
    state === 'partly' || state === 'gone' || changedLater.has(foldPath(path))
  const unknown = files.filter((file) => file.state === 'unknown' && !isChanged(file)).length
  return { ...fix, changed: { files: files.filter(isChanged).length, of: files.length, unknown } }
}
