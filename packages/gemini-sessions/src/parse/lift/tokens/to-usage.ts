import type { TokenUsage } from '../../../model/token-usage.ts'
import { KNOWN_NAMES } from '../../../raw/known-names.ts'
import { isRawObject } from '../../../raw/raw-object.ts'
import type { Problems } from '../../problems/problems.ts'
import { hasTokens, isTokenCount } from './token-counts.ts'

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
    if (isTokenCount(value)) return value
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
  // Every version records a total; other tools that write the format may leave it out.
  if (tokens.total === undefined) usage.total = usage.input + usage.output + usage.thoughts + usage.tool
  return hasTokens(tokens) ? usage : null
}
