import type { Message } from '../../model/message.ts'
import { messageText } from './message-text.ts'
import { oneLine } from './one-line.ts'

/** A prompt's text on one line; `!command` for what was run in shell mode. '' if it has no text. */
export function promptLine(message: Message, maxLength: number): string {
  const text = messageText(message)
  const command = SHELL_COMMAND.exec(text)?.[1]
  return oneLine(command === undefined ? text : `!${command}`, maxLength)
}

/** How the CLI records `!command`. */
const SHELL_COMMAND = /^I ran the following shell command:\s*```\w*\n([\s\S]*?)\n```/
