import type { Message } from '../../model/message.ts'
import { NO_USAGE, type TokenUsage } from '../../model/token-usage.ts'

const CALL_WITHOUT_TOKENS: TokenUsage = Object.freeze({ ...NO_USAGE, calls: 1, callsWithoutTokens: 1 })

/** What one message spent (contract rule 11): a copy nothing, a model message without tokens still a call. */
export function spentUsage(message: Message): TokenUsage {
  if (message.copyOf !== null) return NO_USAGE
  if (message.usage !== null) return message.usage
  return message.origin === 'model' ? CALL_WITHOUT_TOKENS : NO_USAGE
}
