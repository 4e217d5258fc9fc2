import type { SearchField, SearchHit, SearchResult } from '@gemini-dash/api'
import { formatColumnDay, formatColumnTime, formatCount } from '@gemini-dash/api/figures'
import { foldHits, type HitLine } from '@gemini-dash/api/fold-hits'
import { groupBy } from '@gemini-dash/api/group-by'
import { MODEL_NAMES } from '@gemini-dash/api/source-names'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { SessionProgram } from 'gemini-sessions'
import type { Terminal } from '../terminal/cli-error.ts'
import { escapeLine } from './escape-controls.ts'
import { createPaint, displayWidth, fitWidth, type Paint, padWidth } from './paint.ts'

interface Look {
  terminal: Pick<Terminal, 'columns' | 'isColorful'>
  shortKeys: Readonly<Record<string, string>>
  nowMs: number
  /** Maximum number of lines per session on a terminal. */
  mostLines: number
}

/** One line per hit: session, field, message, time, snippet, separated by tabs. */
export function printPlainHits({ hits }: SearchResult): string {
  return hits
    .map(({ sessionKey, field, messageKey, timestamp, snippet: text }) =>
      [sessionKey, field, messageKey ?? '', timestamp ?? '', text]
        .map((cell) => escapeLine(cell).replaceAll('\t', ' '))
        .join('\t'),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/**
 * Hits grouped by session, in the order of their first hit; equal lines of a session are folded. On a terminal no line exceeds its width.
 */
export function printSearchResult(
  result: SearchResult,
  { terminal, shortKeys, nowMs, mostLines }: Look,
): string {
  const { columns, isColorful } = terminal
  const paint = createPaint(isColorful)
  const bySession = groupBy(foldHits(result.hits), ({ hit }) => hit.sessionKey)
  return [...bySession]
    .map(([key, all]) => {
      const session = result.sessions[key]
      const time = session?.startTime ?? null
      const title = all.find(({ hit }) => hit.field === 'title')?.hit
      const inMessages = all.filter(({ hit }) => hit !== title)
      const lines = columns === null ? inMessages : inMessages.slice(0, mostLines)
      const where =
        columns === null
          ? [formatColumnTime(time), key]
          : [formatColumnDay(time, nowMs), shortKeys[key] ?? key]
      const shown = lines.reduce((sum, { alike }) => sum + 1 + alike.length, title === undefined ? 0 : 1)
      const more = (session?.hits ?? shown) - shown
      return [
        headline(
          title ?? { snippet: session?.title ?? key, ranges: [] },
          [session?.project.name ?? '', ...where],
          columns,
          paint,
        ),
        ...lines.map((line) => hitLine(line, session?.source ?? 'gemini-cli', columns, paint)),
        ...(more > 0 ? [paint.dim(`  ${formatCount(more)} more in this session`)] : []),
      ]
    })
    .map((block) => `${block.join('\n')}\n`)
    .join(columns === null ? '\n' : '')
}

type Marked = Pick<SearchHit, 'snippet' | 'ranges'>

const GAP = '  '
const LEAST_TITLE = 20
const LEAST_SNIPPET = 20

function headline(title: Marked, beside: readonly string[], columns: number | null, paint: Paint): string {
  const where = escapeLine(beside.filter((text) => text !== '').join(GAP))
  if (columns === null) return `${marked(title, paint)}${GAP}${where}`
  const room = Math.max(columns - displayWidth(where) - GAP.length, LEAST_TITLE)
  const text = fitWidth(escapeLine(title.snippet), room)
  return `${paint.bold(padWidth(text, room, 'right'))}${GAP}${paint.dim(where)}`
}

const LABELS: Readonly<Record<Exclude<SearchField, 'answer'>, string>> = {
  title: 'Title',
  prompt: 'You',
  thought: 'Thinking',
  'tool-args': 'Tool',
  'tool-output': 'Tool',
  notice: 'Notice',
  attachment: 'Attached',
}
const LABEL_WIDTH = 10

function hitLine(
  { hit, alike }: HitLine<SearchHit>,
  program: SessionProgram,
  columns: number | null,
  paint: Paint,
): string {
  const speaker = hit.field === 'answer' ? MODEL_NAMES[program] : LABELS[hit.field]
  const name = hit.toolName === null ? speaker : toolLabel(hit.toolName)
  const label = escapeLine(name).padEnd(LABEL_WIDTH)
  const folded = alike.length === 0 ? '' : `${GAP}(+${formatCount(alike.length)})`
  const beside = GAP.length + displayWidth(label) + GAP.length + folded.length
  const piece = columns === null ? hit : around(hit, Math.max(columns - beside, LEAST_SNIPPET))
  return `${GAP}${paint.dim(label)}${GAP}${marked(piece, paint)}${paint.dim(folded)}`
}

/** The part of it that fits, with the first matching words. */
function around({ snippet, ranges }: Marked, columns: number): Marked {
  const text = snippet.replace(/\s/g, ' ')
  const [first] = ranges
  const isFar = first !== undefined && displayWidth(escapeLine(text.slice(0, first[1]))) >= columns
  const from = isFar ? Math.max(0, first[0] - Math.floor(columns / 4)) : 0
  const ellipsis = from === 0 ? '' : '…'
  let end = text.length
  const written = () => `${ellipsis}${text.slice(from, end)}${end === text.length ? '' : '…'}`
  while (end > from && displayWidth(escapeLine(written())) > columns) end -= 1
  if (/[\ud800-\udbff]$/.test(text.slice(0, end))) end -= 1
  const shift = ellipsis.length - from
  return {
    snippet: written(),
    ranges: ranges
      .filter(([start]) => start >= from && start < end)
      .map(([start, stop]) => [start + shift, Math.min(stop, end) + shift]),
  }
}

function marked({ snippet, ranges }: Marked, paint: Paint): string {
  let line = ''
  let at = 0
  for (const [start, end] of ranges) {
    line += escapeLine(snippet.slice(at, start)) + paint.bold(escapeLine(snippet.slice(start, end)))
    at = end
  }
  return line + escapeLine(snippet.slice(at))
}
