import type { Message } from '../../model/message.ts'

/** A person or the model made it: what tells one conversation from another. */
export function isConversationMessage(message: Message): boolean {
  return message.origin === 'human' || message.origin === 'model'
}
