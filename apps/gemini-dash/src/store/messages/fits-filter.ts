import type { MessageFilter } from '@gemini-dash/api'
import { type Message, messageText, type ToolCall } from 'gemini-sessions'

/** Whether a message has a block of the kind that the reader wants to see alone. `failed`: keys of the messages where something failed. */
export function fitsFilter(message: Message, filter: MessageFilter, failed: ReadonlySet<string>): boolean {
  switch (filter) {
    case 'dialogue':
      return message.origin === 'human' || (message.origin === 'model' && saysSomething(message))
    case 'errors':
      return failed.has(message.key)
    case 'edits':
      return message.toolCalls.some(isEdit)
    case 'shell':
      return message.toolCalls.some(({ name }) => name === 'run_shell_command')
    case 'thoughts':
      return message.thoughts.length > 0
  }
}

/** Words or anything else that is drawn, such as a picture. */
export function saysSomething(message: Message): boolean {
  return messageText(message).trim() !== '' || message.content.some(({ kind }) => kind !== 'text')
}

/** By name, and what came back of a tool that is not the CLI's own. */
function isEdit({ name, display }: ToolCall): boolean {
  return name === 'replace' || name === 'write_file' || display?.kind === 'diff'
}
