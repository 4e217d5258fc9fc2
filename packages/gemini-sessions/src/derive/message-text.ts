import type { Message } from '../model/message.ts'

/** All that a message says in words, without attachments, thoughts and tools. */
export function messageText(message: Message): string {
  return message.content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')
}
