import type { TokenUsage } from '../../model/issue.ts'
import { isRawObject, type RawObject } from '../../raw.ts'
import type { Problems } from '../problems.ts'

/** The usage of one model call, or null where neither tokens > 0 nor figures that are not known are recorded. */
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

/** What is counted, by the names that the CLI writes. */
const TOKEN_KINDS = ['input', 'output', 'cached', 'thoughts', 'tool', 'total'] as const
type TokenKind = (typeof TOKEN_KINDS)[number]
const OWN_NAMES: ReadonlySet<string> = new Set(TOKEN_KINDS)

/** What the API, its snake_case form, telemetry and `/stats` call what the CLI records under the names of the kinds. */
const KIND_OF_STEM: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...TOKEN_KINDS.map((kind) => [kind, kind] as const),
  ['prompt', 'input'],
  ['candidates', 'output'],
  ['response', 'output'],
  ['cachedcontent', 'cached'],
  ['thought', 'thoughts'],
  ['tooluseprompt', 'tool'],
])
/** How the API divides a count by modality: nothing beside it. */
const DIVISION = /details$/i

/** Which count a field is; null for a name that is not known. */
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
  /** Figures under other names, or that are no counts: they may be tokens, and nobody knows of which price. */
  unknownFigures: number
}

/** Each count that is recorded, whatever its name. The name that the CLI writes goes before all others. */
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

/** Some count of the record is above 0. All-zero records are rebuilt messages, not measurements. */
export function hasTokens(tokens: unknown): boolean {
  if (!isRawObject(tokens)) return false
  // asked of every row that is read
  if (TOKEN_KINDS.some((kind) => isTokenCount(tokens[kind]) && tokens[kind] > 0)) return true
  const { unknownFigures: _, ...counts } = readTokenCounts(tokens)
  return Object.values(counts).some((count) => count > 0)
}

/** JSON can hold negative numbers and, as `1e999`, infinity; neither counts anything. */
function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}

/** Some tools write digits as a text. */
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
