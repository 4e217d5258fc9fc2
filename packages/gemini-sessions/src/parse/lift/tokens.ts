import type { TokenUsage } from '../../model/usage.ts'
import { isRawObject, type RawObject } from '../../raw.ts'
import type { Problems } from '../problems.ts'

/** The usage of one model call, or null if neither tokens > 0 nor unknown figures are recorded. */
export function toUsage(tokens: unknown, at: string, problems: Problems): TokenUsage | null {
  if (tokens === undefined || tokens === null) return null
  if (!isRawObject(tokens)) {
    problems.addIssue('bad-field', `${at} tokens`, { type: typeof tokens })
    return null
  }
  for (const [name, value] of Object.entries(tokens)) {
    if (tokenKind(name) === null) problems.addDrift('tokens', name, at)
    else if (value !== null && !isTokenCount(value)) problems.addIssue('bad-field', `${at} tokens.${name}`)
  }
  const {
    input = 0,
    output = 0,
    cached = 0,
    thoughts = 0,
    tool = 0,
    total,
    unknownFigures,
  } = readTokenCounts(tokens)
  if (unknownFigures === 0 && !hasTokens(tokens)) return null
  return {
    ...{ input, output, cached, thoughts, tool },
    // Every version records a total; other tools that write the format may leave it out.
    total: total ?? input + output + thoughts + tool,
    calls: 1,
    callsWithoutTokens: 0,
    ...(unknownFigures > 0 && { unknownFigures }),
  }
}

/** The counts, by the names that the CLI writes. */
const TOKEN_KINDS = ['input', 'output', 'cached', 'thoughts', 'tool', 'total'] as const
type TokenKind = (typeof TOKEN_KINDS)[number]
const OWN_NAMES: ReadonlySet<string> = new Set(TOKEN_KINDS)

/** Names in the API, its snake_case form, telemetry and `/stats` for the counts that the CLI records. */
const KIND_OF_STEM: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...TOKEN_KINDS.map((kind) => [kind, kind] as const),
  ['prompt', 'input'],
  ['candidates', 'output'],
  ['response', 'output'],
  ['cachedcontent', 'cached'],
  ['thought', 'thoughts'],
  ['tooluseprompt', 'tool'],
])
/** The API's division of a count by modality, which adds nothing. */
const DIVISION = /details$/i

/** The count that a field is; null for an unknown name. */
function tokenKind(name: string): TokenKind | null {
  if (isOwnName(name)) return name
  const stem = name
    .toLowerCase()
    .replace(/[_-]/g, '')
    .replace(/(?:tokencount|tokens)$/, '')
  return KIND_OF_STEM.get(stem) ?? null
}

function isOwnName(name: string): name is TokenKind {
  return OWN_NAMES.has(name)
}

interface TokenCounts extends Partial<Record<TokenKind, number>> {
  /** Figures with other names, or that are not counts: they may be tokens of an unknown price. */
  unknownFigures: number
}

/** Each recorded count, whatever its name. The CLI's own names have precedence. */
function readTokenCounts(tokens: RawObject): TokenCounts {
  const counts: TokenCounts = { unknownFigures: 0 }
  const fields = Object.entries(tokens).filter(([, value]) => value !== null && value !== undefined)
  for (const isOwn of [true, false]) {
    for (const [name, value] of fields) {
      if (isOwnName(name) !== isOwn) continue
      const kind = tokenKind(name)
      const count = toTokenCount(value)
      if (kind === null) counts.unknownFigures += !DIVISION.test(name) && holdsFigure(value) ? 1 : 0
      else if (count === null) counts.unknownFigures += kind === 'total' ? 0 : 1
      else counts[kind] ||= count
    }
  }
  return counts
}

/** Whether any count of the record is above 0. All-zero records are rebuilt messages, not measurements. */
export function hasTokens(tokens: unknown): boolean {
  if (!isRawObject(tokens)) return false
  // fast path, called for every row
  if (TOKEN_KINDS.some((kind) => isTokenCount(tokens[kind]) && tokens[kind] > 0)) return true
  const { unknownFigures: _, ...counts } = readTokenCounts(tokens)
  return Object.values(counts).some((count) => count > 0)
}

/** JSON can have negative numbers and, as `1e999`, infinity; neither is a count. */
function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}

/** Some tools write digits as a string. */
function toTokenCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return isTokenCount(count) ? count : null
}

function holdsFigure(value: unknown, depth = 0): boolean {
  if (typeof value === 'object' && value !== null)
    return depth < 4 && Object.values(value).some((each) => holdsFigure(each, depth + 1))
  const count = toTokenCount(value)
  return count !== null && count > 0 && Number.isInteger(count)
}
