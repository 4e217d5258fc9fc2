import type { Message } from '../../model/message.ts'

/** All that a message says in words, without attachments, thoughts and tools. */
export function messageText({ content }: Message): string {
  const [first] = content
  // Nearly every message is one text, and this is asked of all messages of a session again and again.
  if (content.length === 1 && first?.kind === 'text') return first.text
  const texts: string[] = []
  for (const part of content) if (part.kind === 'text') texts.push(part.text)
  return texts.join('\n')
}
