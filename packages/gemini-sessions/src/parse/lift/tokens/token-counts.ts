import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'

export type TokenKind = 'input' | 'output' | 'cached' | 'thoughts' | 'tool' | 'total'

/** What the API, its snake_case form, telemetry and `/stats` call what the CLI records under the names of the kinds. */
const KIND_OF_STEM: ReadonlyMap<string, TokenKind> = new Map([
  ['input', 'input'],
  ['prompt', 'input'],
  ['output', 'output'],
  ['candidates', 'output'],
  ['response', 'output'],
  ['cached', 'cached'],
  ['cachedcontent', 'cached'],
  ['thoughts', 'thoughts'],
  ['thought', 'thoughts'],
  ['tool', 'tool'],
  ['tooluseprompt', 'tool'],
  ['total', 'total'],
])
/** How the API divides a count by modality: nothing beside it. */
const DIVISION = /details$/i

/** Which count a field is; null for a name that is not known. */
export function tokenKind(name: string): TokenKind | null {
  const stem = name
    .toLowerCase()
    .replace(/[_-]/g, '')
    .replace(/(?:tokencount|tokens)$/, '')
  return KIND_OF_STEM.get(stem) ?? null
}

export interface TokenCounts extends Partial<Record<TokenKind, number>> {
  /** Figures under other names, or that are no counts: they may be tokens, and nobody knows of which price. */
  unknownFigures: number
}

/** Each count that is recorded, whatever its name. The name that the CLI writes goes before all others. */
export function readTokenCounts(tokens: RawObject): TokenCounts {
  const counts: TokenCounts = { unknownFigures: 0 }
  const fields = Object.entries(tokens).filter(([, value]) => value !== null && value !== undefined)
  for (const isOwnName of [true, false]) {
    for (const [name, value] of fields) {
      const kind = tokenKind(name)
      if ((kind === name) !== isOwnName) continue
      const count = toTokenCount(value)
      if (kind === null) counts.unknownFigures += !DIVISION.test(name) && holdsFigure(value) ? 1 : 0
      else if (count === null) counts.unknownFigures += kind === 'total' ? 0 : 1
      else counts[kind] ||= count
    }
  }
  return counts
}

/** Some figure of the record is above 0. All-zero records are rebuilt messages, not measurements. */
export function hasTokens(tokens: unknown): boolean {
  return isRawObject(tokens) && Object.values(readTokenCounts(tokens)).some((count) => count > 0)
}

/** JSON can hold negative numbers and, as `1e999`, infinity; neither counts anything. Some tools write digits as a text. */
function toTokenCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && count >= 0 && count < Number.POSITIVE_INFINITY ? count : null
}

function holdsFigure(value: unknown, depth = 0): boolean {
  if (typeof value === 'object' && value !== null)
    return depth < 4 && Object.values(value).some((each) => holdsFigure(each, depth + 1))
  const count = typeof value === 'boolean' ? null : toTokenCount(value)
  return count !== null && count > 0 && Number.isInteger(count)
}
