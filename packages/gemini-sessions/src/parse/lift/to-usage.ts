import type { TokenUsage } from '../../model/token-usage.ts'
import { KNOWN_NAMES } from '../../raw/known-names.ts'
import { isRawObject } from '../../raw/raw-object.ts'
import type { Problems } from '../problems.ts'

/** Some figure of the record is above 0. All-zero records are rebuilt messages, not measurements. */
export function hasTokens(tokens: unknown): boolean {
  if (!isRawObject(tokens)) return false
  for (const name of KNOWN_NAMES.tokens) if (isCount(tokens[name]) && tokens[name] > 0) return true
  return false
}

/** The usage of one model call, or null where no tokens > 0 are recorded. */
export function toUsage(tokens: unknown, at: string, problems: Problems): TokenUsage | null {
  if (tokens === undefined || tokens === null) return null
  if (!isRawObject(tokens)) {
    problems.addIssue('bad-field', `${at} tokens`, { type: typeof tokens })
    return null
  }
  problems.addUnknownNames('tokens', tokens, KNOWN_NAMES.tokens, at)
  const count = (name: string) => {
    const value = tokens[name]
    if (isCount(value)) return value
    if (value !== undefined && value !== null) problems.addIssue('bad-field', `${at} tokens.${name}`)
    return 0
  }
  const usage = {
    input: count('input'),
    output: count('output'),
    cached: count('cached'),
    thoughts: count('thoughts'),
    tool: count('tool'),
    total: count('total'),
    calls: 1,
    callsWithoutTokens: 0,
  }
  return hasTokens(tokens) ? usage : null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}
