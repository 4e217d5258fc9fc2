import type { SearchQuery, SearchResult } from '@gemini-dash/api'
import { searchQuerySchema } from '@gemini-dash/api'
import { formatCount, formatPlural } from '@gemini-dash/api/figures'
import { patternProblem } from '@gemini-dash/session-index'
import {
  readLimit,
  readQuery,
  readSpan,
  withAnswer,
  withCheckedCursor,
} from '../environment/answer-question.ts'
import { clockOf } from '../environment/open-store.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import { printPlainHits, printSearchResult } from '../print/print-search-result.ts'
import { parseSearch } from '../store/search/search-scope.ts'
import { isSearchCursor } from '../store/search/searches.ts'
import type { Terminal } from '../terminal/cli-error.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'

export const search: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const q = positionals.join(' ')
  if (q.trim() === '')
    throw new CliError(2, 'What do you want to search for?', 'Usage: gemini-dash search QUERY')
  const { mode, sort, project, model, tz, cursor, timeout } = flags
  const clock = await clockOf(flags)
  if (mode === 'regex') checkPattern(q, clock())
  const limit = readLimit(flags) ?? undefined
  const query = readQuery(withCheckedCursor(searchQuerySchema, isSearchCursor), {
    q,
    mode,
    sort,
    project,
    model,
    ...readSpan(flags, clock()),
    tz,
    limit,
    cursor,
    timeout,
  })

  await withAnswer(input, { command: 'search', query }, async ({ result, shortKeys, unknownProject }) => {
    if (flags.json) await terminal.write(jsonLine(result))
    else {
      const text = flags.plain
        ? printPlainHits(result)
        : printSearchResult(result, {
            terminal,
            shortKeys,
            nowMs: clock(),
            // an explicit limit shows that many results
            mostLines: limit ?? 3,
          })
      await terminal.write(text)
      tellOfResult(result, query.sort, terminal)
      if (unknownProject !== null) terminal.note(escapeLine(unknownProject))
    }
    failForUnread(result)
    if (result.total === 0) throw new CliError(1, isCut(result) ? 'No results so far.' : 'No results.')
  })
}

/** The most that one answer returns. */
const MOST_SHOWN = 1_000

/** The page falls back to a literal search while a pattern is being typed; a command was meant as written. */
function checkPattern(q: string, nowMs: number): void {
  const { text } = parseSearch({ q, mode: 'regex' }, nowMs).written
  const problem = text === '' ? null : patternProblem(text)
  if (problem === null) return
  throw new CliError(
    2,
    `Invalid pattern ${text}: ${problem}.`,
    'Patterns use RE2 syntax. To search for exact text, use --mode substring.',
  )
}

function tellOfResult(result: SearchResult, sort: SearchQuery['sort'], terminal: Terminal): void {
  for (const note of [...result.notes, ...waysOn(result)]) terminal.note(escapeLine(note))
  terminal.note(footer(result, sort))
  if (isCut(result)) terminal.note(howToGoOn(result))
}

/** The time limit was reached before all files were searched. */
function isCut({ partial }: SearchResult): boolean {
  return partial !== null && partial.seconds !== null
}

function howToGoOn({ coverage, partial, nextCursor }: SearchResult): string {
  const { filesDone, filesTotal } = coverage
  return `Stopped after ${partial?.seconds} seconds: ${formatCount(filesDone)} of ${formatCount(filesTotal)} files searched, newest first. Continue with --cursor ${nextCursor}, or search longer with --timeout 60.`
}

/** If nothing is found: how the query was read, possible corrections, and what could be relaxed. */
function waysOn({ didYouMean, relax, otherwise = [] }: SearchResult): string[] {
  const read = otherwise.flatMap(({ kind, sentence, sessions }) => [
    kind === 'exact' ? `${sentence} Search for it with --mode substring.` : sentence,
    ...sessions.map(({ key, title }) => `  ${key}  ${title}`),
  ])
  const ways = relax.map(({ label, total }) => `Without ${label}: ${formatPlural(total, 'result')}.`)
  return [...read, ...(didYouMean === null ? [] : [`Did you mean: ${didYouMean}`]), ...ways]
}

function footer({ hits, total, sessionTotal }: SearchResult, sort: SearchQuery['sort']): string {
  const totals = `${formatPlural(total, 'result')} in ${formatPlural(sessionTotal, 'session')}`
  if (total === 0) return totals
  const more = hits.length === total ? [] : [`More: -n ${Math.min(total, MOST_SHOWN)}.`]
  const [order, other] =
    sort === 'recent' ? ['newest first', []] : ['best first', ['Newest first: --sort recent']]
  return [`${totals}, ${order}.`, ...more, ...other].join(' ')
}
