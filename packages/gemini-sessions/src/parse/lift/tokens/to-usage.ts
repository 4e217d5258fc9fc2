import type { TokenUsage } from '../../../model/token-usage.ts'
import { isRawObject } from '../../../raw/raw-object.ts'
import type { Problems } from '../../problems/problems.ts'
import { hasTokens, isTokenCount, readTokenCounts, tokenKind } from './token-counts.ts'

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
