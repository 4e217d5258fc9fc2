import type { TokenUsage } from 'gemini-sessions'

/** Adds in place: years have tens of thousands of parts, and a new object for each sum costs more than the sum. */
export function addUsageTo(sum: TokenUsage, usage: TokenUsage): void {
  sum.input += usage.input
  sum.output += usage.output
  sum.cached += usage.cached
  sum.thoughts += usage.thoughts
  sum.tool += usage.tool
  sum.total += usage.total
  sum.calls += usage.calls
  sum.callsWithoutTokens += usage.callsWithoutTokens
}
