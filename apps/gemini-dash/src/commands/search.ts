import type { SearchResult } from '@gemini-dash/api'
import { searchQuerySchema } from '@gemini-dash/api'
import { CliError } from '../command-line/cli-error.ts'
import type { RunCommand } from '../command-line/commands.ts'
import { failForUnread } from '../command-line/fail-for-unread.ts'
import { readLimit, readQuery } from '../command-line/read-query.ts'
import type { Terminal } from '../command-line/terminal.ts'
import { withAnswer } from '../environment/with-answer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { formatCount } from '../print/format-figures.ts'
import { printSearchResult } from '../print/print-search-result.ts'

export const search: RunCommand = async (input) => {
  const { flags, positionals, terminal } = input
  const q = positionals.join(' ')
  if (q.trim() === '') throw new CliError(2, 'What shall be searched for?', 'Usage: gemini-dash search QUERY')
  const { mode, sort, project, model, from, to, tz } = flags
  const limit = readLimit(flags) ?? undefined
  const query = readQuery(searchQuerySchema, { q, mode, sort, project, model, from, to, tz, limit })

  await withAnswer(input, { command: 'search', query }, async (result) => {
    if (flags.json) await terminal.write(`${JSON.stringify(result)}\n`)
    else await print(result, terminal)
    failForUnread(result)
    if (result.total === 0) throw new CliError(1, 'Nothing was found.')
  })
}

async function print(result: SearchResult, terminal: Terminal): Promise<void> {
  await terminal.write(printSearchResult(result, terminal.isColorful))
  for (const note of [...result.notes, ...waysOn(result)]) terminal.note(escapeLine(note))
  terminal.note(footer(result))
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
