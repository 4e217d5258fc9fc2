import type { Message } from '../../model/message.ts'
import { messageText } from '../messages/message-text.ts'

/** A notice that a request to the model failed. Errors of the CLI's own affairs are none: they end no request. */
export function isRefusal(message: Message): boolean {
  return message.type === 'error' && message.copyOf === null && !OWN_AFFAIR.test(messageText(message))
}

/** Updates, MCP servers, mistyped commands, extensions. */
const OWN_AFFAIR =
  /^(?:Automatic update|Auto-?update|Failed to (?:check for|install) update|Unknown command|MCP |Error during discovery|.{0,80}(?:MCP server|extension) )/i
