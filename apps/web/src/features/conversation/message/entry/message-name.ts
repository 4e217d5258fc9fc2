import type { Message } from 'gemini-sessions'
import { toolArgument } from '../../tool/call/tool-argument.ts'
import { toolTitle } from '../../tool/call/tool-title.ts'
import { injectedName, injectedTexts } from './injected-name.ts'

const MOST_LETTERS = 80
/** A beginning in which so many letters of words stand even where they are marked up. */
const HEAD_LETTERS = 500
const NOTICES: Record<string, string> = { info: 'Notice', warning: 'Warning', error: 'Error' }

/** Who speaks. */
export function voiceName(message: Message): string {
  if (message.type === 'gemini') return message.agentKey === null ? 'Gemini' : 'Sub-agent'
  if (message.type === 'unknown') return 'Message of unknown type'
  if (message.type !== 'user') return NOTICES[message.type] ?? 'Notice'
  return message.origin === 'human' ? 'You' : injectedName(message, injectedTexts(message))
}

/** What a message is called where it is heard and not seen: who speaks, and how it begins, so that no two answers sound alike. */
export function messageName(message: Message): string {
  const words = beginning(textOf(message)) || silentName(message)
  return words === '' ? voiceName(message) : `${voiceName(message)}: ${words}`
}

function textOf({ content }: Message): string {
  return content.map((part) => (part.kind === 'text' ? part.text.slice(0, HEAD_LETTERS) : '')).join(' ')
}

/** Of a model's message without words: what it called, else what it thought. */
function silentName({ toolCalls, thoughts }: Message): string {
  const [call] = toolCalls
  if (call !== undefined) {
    const more = toolCalls.length > 1 ? `, ${toolCalls.length - 1} more` : ''
    return `${beginning(`${toolTitle(call)} ${toolArgument(call, null)}`)}${more}`
  }
  const subject = thoughts.find((thought) => thought.subject !== '')?.subject
  return subject === undefined ? '' : `thinks, ${beginning(subject)}`
}

/** The first words in one line, without the marks of Markdown. */
function beginning(text: string): string {
  const line = text
    .slice(0, HEAD_LETTERS)
    .replace(/[#>*`~]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= MOST_LETTERS) return line
  const words = line.slice(0, MOST_LETTERS + 1).replace(/\s\S*$/, '')
  return `${words.slice(0, MOST_LETTERS)} …`
}
