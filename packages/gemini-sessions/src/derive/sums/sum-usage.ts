import type { Message } from '../../model/message.ts'
import { NO_USAGE, type TokenUsage } from '../../model/token-usage.ts'
import { addUsage } from './add-usage.ts'
import { spentUsage } from './spent-usage.ts'

/** Tokens spent by these messages: each counted once, copies never. */
export function sumUsage(messages: Iterable<Message>): TokenUsage {
  let sum = NO_USAGE
  for (const message of messages) sum = addUsage(sum, spentUsage(message))
  return sum
}
