import type { SearchField } from '@gemini-dash/api'
import { type PriceOverrides, priceCall } from '@gemini-dash/pricing'
import {
  type Message,
  type Part,
  pathArguments,
  type SessionSummary,
  savedOutputMentions,
  type ToolCall,
  type ToolOutput,
} from 'gemini-sessions'
import { contentField, type FieldPiece, withoutInlineData } from './text.ts'

/** Properties of a row for filters, besides its text and time. */
export interface RowFacts {
  /** `ROW_FLAGS`. */
  flags: number
  /** Of the message's request; for a title, of all requests. NaN if none are recorded. */
  tokens: number
  /** The same in USD; NaN if the price is unknown. */
  cost: number
  /** The field of the hit if the query has no words. */
  mainField: SearchField
  calls: RowCall[]
}

/** @param failure failure flags of this message, from the session */
export function messageFacts(
  message: Message,
  pieces: FieldPiece[],
  failure: number,
  prices?: PriceOverrides,
): RowFacts {
  const { usage, toolCalls } = message
  const field = contentField(message)
  const hasOwnText = pieces.some((piece) => piece.field === field)
  return {
    flags: messageFlags(message) | dataFlag(pieces) | failure,
    tokens: usage?.total ?? Number.NaN,
    cost: usage === null ? Number.NaN : (priceCall(message, prices) ?? Number.NaN),
    mainField: hasOwnText ? field : (pieces[0]?.field ?? field),
    calls: toolCalls.map(rowCall),
  }
}

export function titleFacts(summary: SessionSummary): RowFacts {
  return {
    flags: 0,
    tokens: summary.usage?.total ?? Number.NaN,
    cost: summary.cost?.usd ?? Number.NaN,
    mainField: 'title',
    calls: [],
  }
}

function messageFlags({ superseded, toolCalls, content, thoughts }: Message): number {
  let flags = 0
  if (superseded !== null) flags |= ROW_FLAGS.superseded
  if (thoughts.length > 0) flags |= ROW_FLAGS.thoughts
  for (const part of content) flags |= shownFlags(part)
  for (const call of toolCalls) {
    const { output, display, extraParts } = call
    if (savedOutputMentions(call).length > 0) flags |= ROW_FLAGS.saved
    flags |= shownFlags(output) | (display === null ? 0 : shownFlags(display))
    for (const part of extraParts) flags |= shownFlags(part)
  }
  return flags
}

function shownFlags(shown: ToolOutput | Part): number {
  if (shown.kind === 'diff') return ROW_FLAGS.diff
  if (shown.kind !== 'image' && shown.kind !== 'audio' && shown.kind !== 'file') return 0
  const data = shown.sizeBytes === null ? 0 : ROW_FLAGS.data
  return shown.kind === 'image' ? ROW_FLAGS.image | data : data
}

function dataFlag(pieces: readonly FieldPiece[]): number {
  return pieces.some(({ text }) => withoutInlineData(text) !== text) ? ROW_FLAGS.data : 0
}

/** A tool call, with what filters need. */
interface RowCall {
  tool: string
  status: string
  failed: boolean
  /** The touched paths, with `/` on every system, each once. */
  paths: string[]
}

export function rowCall({ name, status, failed, args, output, display }: ToolCall): RowCall {
  const paths = pathArguments(args).filter((path) => path.length <= MAX_PATH_LENGTH)
  for (const shown of [output, display]) {
    if (shown?.kind === 'diff') paths.push(shown.filePath ?? shown.fileName)
  }
  const normalised = paths.filter((path) => path !== '').map((path) => path.replaceAll('\\', '/'))
  return { tool: name, status, failed, paths: [...new Set(normalised)].slice(0, MAX_PATHS) }
}

/** A call with more paths is a listing, not work on files. */
const MAX_PATHS = 100
const MAX_PATH_LENGTH = 1024

/** Properties of a row, as bits. */
export const ROW_FLAGS = {
  error: 1,
  superseded: 2,
  diff: 4,
  image: 8,
  thoughts: 16,
  unanswered: 32,
  data: 64,
  saved: 128,
} as const

/** Ignores case and Unicode composition: macOS decomposes accents. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/**
 * A whole path, its end (`src/a.ts`, `a.ts`), or a glob over either: `*` and `?` within a name, `**` for any number of folders. Ignores
 * case, and treats `\` as `/`. Takes time in proportion to path and pattern.
 */
export function pathPattern(pattern: string): (path: string) => boolean {
  const wanted = foldName(pattern.replaceAll('\\', '/'))
  const isWhole = wanted.startsWith('/')
  const names = wanted.split('/').filter(isName)
  const parts: PatternPart[] = [...(isWhole ? [] : [ANY_FOLDERS]), ...names.map(toPart)]
  const [, only] = parts.length === 2 && !isWhole ? parts : []
  // Most queries ask for the end of a path or for one name, so no path has to be split.
  if (only !== undefined && only !== ANY_FOLDERS) return (path) => isLastName(path, only)
  const literal = longestLiteral(names)
  return (path) => {
    const lower = foldName(path)
    return names.length > 0 && lower.includes(literal) && matches(parts, lower.split('/').filter(isName))
  }
}

function isLastName(path: string, isWanted: (name: string) => boolean): boolean {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return end > 0 && isWanted(path.slice(path.lastIndexOf('/', end - 1) + 1, end))
}

/** The longest text contained in every matching path. */
function longestLiteral(names: string[]): string {
  const literals = names.flatMap((name) => name.split(/[*?]+/))
  return literals.reduce((longest, literal) => (literal.length > longest.length ? literal : longest), '')
}

const isName = (name: string) => name !== ''

type PatternPart = ((name: string) => boolean) | typeof ANY_FOLDERS
const ANY_FOLDERS: '**' = '**'

function toPart(name: string): PatternPart {
  return name === '**' ? ANY_FOLDERS : wildcardPattern(name)
}

/** After a mismatch, only the last `**` has to match one folder more. */
function matches(parts: PatternPart[], names: string[]): boolean {
  let part = 0
  let name = 0
  let anyPart = -1
  let anyName = 0
  while (name < names.length) {
    const wanted = parts[part]
    if (wanted === ANY_FOLDERS) {
      anyPart = part++
      anyName = name
    } else if (wanted?.(names[name] ?? '')) {
      part++
      name++
    } else if (anyPart >= 0) {
      part = anyPart + 1
      name = ++anyName
    } else return false
  }
  return parts.slice(part).every((rest) => rest === ANY_FOLDERS)
}

/** Matches the whole text: `*` is anything, `?` one character; ignores case. Linear in text times pattern. */
export function wildcardPattern(pattern: string): (text: string) => boolean {
  const wanted = foldName(pattern)
  if (wanted.includes('?')) {
    // Code points, not surrogates.
    const characters = [...wanted]
    return (text) => matchesWildcard(characters, [...foldName(text)])
  }
  const end = wanted.slice(1)
  // `*.ts` is by far the most common.
  if (wanted.startsWith('*') && !end.includes('*')) return (text) => foldName(text).endsWith(end)
  return wanted.includes('*')
    ? (text) => matchesWildcard(wanted, foldName(text))
    : (text) => foldName(text) === wanted
}

/** After a mismatch, only the last `*` has to match one character more. */
function matchesWildcard(pattern: string | string[], text: string | string[]): boolean {
  let at = 0
  let position = 0
  let star = -1
  let starPosition = 0
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = at++
      starPosition = position
    } else if (pattern[at] === '?' || pattern[at] === text[position]) {
      at++
      position++
    } else if (star >= 0) {
      at = star + 1
      position = ++starPosition
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
