import type { Message } from '../../model/message.ts'

/** How the CLI records `!command`. */
const SHELL_COMMAND = /^I ran the following shell command:\s*```\w*\n([\s\S]*?)\n```/

/** Terminal colours (a control character and `[31m`), and marks that turn the direction of all text after them. */
const INVISIBLE = /\p{Cc}\[[\d;]*[A-Za-z]|[\u202A-\u202E\u2066-\u2069]/gu

/** All that a message says in words, without attachments, thoughts and tools. */
export function messageText({ content }: Message): string {
  const [first] = content
  // Nearly every message is one text, and this is asked of all messages of a session again and again.
  if (content.length === 1 && first?.kind === 'text') return first.text
  const texts: string[] = []
  for (const part of content) if (part.kind === 'text') texts.push(part.text)
  return texts.join('\n')
}

/** Text on one line, at most `maxLength` characters, cut with an ellipsis and never inside a surrogate pair. */
export function oneLine(text: string, maxLength: number): string {
  // Enough for any line of this length, however many blanks there are to collapse.
  const head = text.slice(0, maxLength * 20)
  const line = head
    .replace(INVISIBLE, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= maxLength) return line
  return `${characters
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`
}

/** A prompt's text on one line; `!command` for what was run in shell mode. '' if it has no text. */
export function promptLine(message: Message, maxLength: number): string {
  const text = messageText(message)
  const command = SHELL_COMMAND.exec(text)?.[1]
  return oneLine(command === undefined ? text : `!${command}`, maxLength)
}
