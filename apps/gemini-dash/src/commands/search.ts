import type { SearchResult } from '@gemini-dash/api'
import { searchQuerySchema } from '@gemini-dash/api'
import { formatCount } from '@gemini-dash/api/figures'
import { patternProblem } from '@gemini-dash/session-index'
import { clockOf } from '../environment/clock-of.ts'
import { readLimit, readQuery, readSpan } from '../environment/read-query.ts'
import { withAnswer } from '../environment/with-answer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { failForUnread } from '../print/fail-for-unread.ts'
import { jsonLine } from '../print/json-line.ts'
import { printPlainHits, printSearchResult } from '../print/print-search-result.ts'
import { parseSearch } from '../store/search/parse-search.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const search: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const q = positionals.join(' ')
  if (q.trim() === '') throw new CliError(2, 'What shall be searched for?', 'Usage: gemini-dash search QUERY')
  const { mode, sort, project, model, tz, cursor, timeout } = flags
  const clock = await clockOf(flags)
  if (mode === 'regex') checkPattern(q, clock())
  const limit = readLimit(flags) ?? undefined
  const query = readQuery(searchQuerySchema, {
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

  await withAnswer(input, { command: 'search', query }, async (result) => {
    if (flags.json) await terminal.write(jsonLine(result))
    else await print(result, terminal, flags.plain === true)
    failForUnread(result)
    if (result.total === 0)
      throw new CliError(1, isStopped(result) ? 'Nothing was found so far.' : 'Nothing was found.')
  })
}

/** The page looks for what it cannot read literally while it is typed; a command was meant as it is. */
function checkPattern(q: string, nowMs: number): void {
  const { text } = parseSearch({ q, mode: 'regex' }, nowMs).written
  const problem = text === '' ? null : patternProblem(text)
  if (problem === null) return
  throw new CliError(
    2,
    `The pattern ${text} cannot be read: ${problem}.`,
    'Patterns are of RE2; --mode substring looks for the characters as they are.',
  )
}

async function print(result: SearchResult, terminal: Terminal, isPlain: boolean): Promise<void> {
  await terminal.write(isPlain ? printPlainHits(result) : printSearchResult(result, terminal.isColorful))
  for (const note of [...result.notes, ...waysOn(result)]) terminal.note(escapeLine(note))
  terminal.note(footer(result))
  if (isStopped(result)) terminal.note(howToGoOn(result))
}

function isStopped({ partial }: SearchResult): boolean {
  return partial !== null && partial.seconds !== null
}

function howToGoOn({ coverage: { filesDone, filesTotal }, partial, nextCursor }: SearchResult): string {
  const searched = `${formatCount(filesDone)} of ${formatCount(filesTotal)} files searched, newest first`
  return `Stopped after ${partial?.seconds} seconds: ${searched}. Go on with --cursor ${nextCursor}, or search longer with --timeout 60.`
}

/** Where nothing is found: what was meant perhaps, and what could be relaxed. */
function waysOn({ didYouMean, relax }: SearchResult): string[] {
  const ways = relax.map(({ label, total }) => `Without ${label}: ${formatCount(total)} hits.`)
  return didYouMean === null ? ways : [`Did you mean: ${didYouMean}`, ...ways]
}

function footer({ hits, total, messageTotal, sessionTotal }: SearchResult): string {
  const totals = `${formatCount(total)} hits in ${formatCount(messageTotal)} messages of ${formatCount(sessionTotal)} sessions`
  return hits.length === total ? totals : `${totals}, the first ${formatCount(hits.length)} shown`
}
