import type { Message } from '../../model/message.ts'

/** One request that the model answered, superseded or not; a copy under a new id is no second one. */
export function isModelCall(message: Message): boolean {
  return message.origin === 'model' && message.copyOf === null
}
