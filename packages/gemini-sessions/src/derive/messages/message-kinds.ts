import type { Message } from '../../model/message.ts'

/** A person typed it. The prompt of a sub-agent that an old version mixed into its parent's file is none. */
export function isPrompt(message: Message): boolean {
  return message.origin === 'human' && message.agentKey === null
}

/** One request that the model answered, superseded or not; a copy under a new id is no second one. */
export function isModelCall(message: Message): boolean {
  return message.origin === 'model' && message.copyOf === null
}

/** A person or the model made it: what tells one conversation from another. */
export function isConversationMessage(message: Message): boolean {
  return message.origin === 'human' || message.origin === 'model'
}

/** Another record of the message that it is a copy of, with words of its own: a JSON document can hold one id several times. */
export function isRecordedAgain({ id, copyOf }: Pick<Message, 'id' | 'copyOf'>): boolean {
  return id !== '' && copyOf !== null && (copyOf === id || copyOf.startsWith(`${id}~`))
}
