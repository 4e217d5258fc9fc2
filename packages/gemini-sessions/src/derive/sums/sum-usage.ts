import type { Message } from '../../model/message.ts'
import { NO_USAGE, type TokenUsage } from '../../model/token-usage.ts'

const CALL_WITHOUT_TOKENS: TokenUsage = Object.freeze({ ...NO_USAGE, calls: 1, callsWithoutTokens: 1 })

/** Tokens spent by these messages: each counted once, copies never. */
export function sumUsage(messages: Iterable<Message>): TokenUsage {
  let sum = NO_USAGE
  for (const message of messages) sum = addUsage(sum, spentUsage(message))
  return sum
}

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

/** What one message spent (contract rule 11): a copy nothing, a model message without tokens still a call. */
export function spentUsage(message: Message): TokenUsage {
  if (message.copyOf !== null || message.billedIn !== undefined) return NO_USAGE
  if (message.usage !== null) return countedUsage(message.usage)
  return message.origin === 'model' ? CALL_WITHOUT_TOKENS : NO_USAGE
}

/** Without what no sum has. */
function countedUsage(usage: TokenUsage): TokenUsage {
  if (usage.unknownFigures === undefined) return usage
  const { unknownFigures: _, ...counted } = usage
  return counted
}
