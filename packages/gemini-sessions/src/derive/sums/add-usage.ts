import type { TokenUsage } from '../../model/token-usage.ts'

/** Sum of two usages, field by field. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    thoughts: a.thoughts + b.thoughts,
    tool: a.tool + b.tool,
    total: a.total + b.total,
    calls: a.calls + b.calls,
    callsWithoutTokens: a.callsWithoutTokens + b.callsWithoutTokens,
  }
}
