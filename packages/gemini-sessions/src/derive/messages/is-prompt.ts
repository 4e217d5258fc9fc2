import type { Message } from '../../model/message.ts'

/** A person typed it. The prompt of a sub-agent that an old version mixed into its parent's file is none. */
export function isPrompt(message: Message): boolean {
  return message.origin === 'human' && message.agentKey === null
}
