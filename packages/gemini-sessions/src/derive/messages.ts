import type { Message, Session, ToolCall } from '../model/message.ts'
import type { SessionFile } from '../model/session-summary.ts'

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

/**
 * Text on one line, at most `maxLength` characters, cut with an ellipsis and never inside a surrogate pair. A word of ASCII that
 * does not fit is left out whole: half a secret would not be known as one when it is redacted. A long path or address ends at
 * one of its parts; a first word is cut.
 */
export function oneLine(text: string, maxLength: number): string {
  // Enough for any line of this length, however many blanks there are to collapse.
  const head = text.slice(0, maxLength * 20)
  const line = head
    .replace(INVISIBLE, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= maxLength) return line
  const cut = characters.slice(0, maxLength - 1).join('')
  // the cut fell between two words
  if (/\s$/.test(cut) || characters[maxLength - 1] === ' ') return `${cut.trimEnd()}…`
  return `${cut}…`.replace(/ [!-~]+…$/, (word) => {
    const part = word.length > maxLength / 2 ? (/^.*[/?&=]/.exec(word)?.[0] ?? '') : ''
    return part === '' ? ' …' : `${part}…`
  })
}

/** A prompt's text on one line; `!command` for what was run in shell mode. '' if it has no text. */
export function promptLine(message: Message, maxLength: number): string {
  return oneLine(promptText(message), maxLength)
}

/** A prompt's text; `!command` for what was run in shell mode. */
export function promptText(message: Message): string {
  const text = messageText(message)
  const command = SHELL_COMMAND.exec(text)?.[1]
  return command === undefined ? text : `!${command}`
}

/** Words or anything else that is drawn, such as a picture. */
export function saysSomething(message: Message): boolean {
  return messageText(message).trim() !== '' || message.content.some(({ kind }) => kind !== 'text')
}

/** Arguments that say what a call is about, most telling first. */
const TELLING = [
  'command',
  'file_path',
  'absolute_path',
  'path',
  'dir_path',
  'pattern',
  'query',
  'url',
  'agent_name',
  'prompt',
  'objective',
]

/** What a call was asked to do, in few words: its own where they were stored, else what its arguments tell. */
export function callLine({ args, description }: Pick<ToolCall, 'args' | 'description'>): string {
  const named =
    typeof args === 'object' && args !== null ? new Map<string, unknown>(Object.entries(args)) : null
  const command = named?.get('command') ?? named?.get('CommandLine')
  // A shell's own line mixes the command with its folder and purpose.
  if (typeof command === 'string') return command
  if (description !== null && description.trim() !== '') return description
  const telling = TELLING.map((name) => named?.get(name)).find((value) => typeof value === 'string')
  return typeof telling === 'string' ? telling : ''
}

/** The earliest of these ISO times; what is missing or no time is passed over. */
export function earliestTime(times: Iterable<string | null>): string | null {
  let earliest: string | null = null
  let earliestMs = Number.POSITIVE_INFINITY
  for (const time of times) {
    const timeMs = time === null ? Number.NaN : Date.parse(time)
    if (timeMs < earliestMs) [earliest, earliestMs] = [time, timeMs]
  }
  return earliest
}

/** The latest of these ISO times; what is missing or no time is passed over. */
export function latestTime(times: Iterable<string | null>): string | null {
  let latest: string | null = null
  let latestMs = Number.NEGATIVE_INFINITY
  for (const time of times) {
    const timeMs = time === null ? Number.NaN : Date.parse(time)
    if (timeMs > latestMs) [latest, latestMs] = [time, timeMs]
  }
  return latest
}

export function lastMessageTime(messages: readonly Message[]): string | null {
  return latestTime(messages.map((message) => message.timestamp))
}

/** The same text for the same arguments, in whatever order a model wrote them. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  )
}

/** The messages that stand for the session: the live ones, or in a buried session those of its last conversation. */
export function drawnMessages(session: Pick<Session, 'messages' | 'drawnKeys'>): Message[] {
  const { drawnKeys, messages } = session
  if (drawnKeys === null) return messages.filter((message) => message.superseded === null)
  const drawn = new Set(drawnKeys)
  return messages.filter((message) => drawn.has(message.key))
}

/** None of its files is whole: the CLI reads none of it, and what stands before the cut gives no true figures. */
export function isDamagedSession({ files }: { files: readonly SessionFile[] }): boolean {
  return files.length > 0 && files.every(({ role }) => role === 'damaged')
}

/**
 * The messages that count as spent. A saved chat repeats calls that its session has paid for; a damaged file may repeat
 * those of a whole one, and its figures are 0 (contract rule 7).
 */
export function spentMessages(session: Pick<Session, 'kind' | 'messages' | 'files'>): Message[] {
  return session.kind === 'checkpoint' || isDamagedSession(session) ? [] : session.messages
}

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

/**
 * Tells of each call of a tool whether it stands there for the first time: copies repeat calls, and so does a rewrite under new
 * ids that is no exact copy (0.57+), while ids of calls never repeat. Every figure of "ever recorded" counts by this.
 */
export class RecordedCalls {
  readonly #counted = new Set<string>()

  /** Those of the next message, in recorded order. */
  newIn({ copyOf, toolCalls }: Pick<Message, 'copyOf' | 'toolCalls'>): ToolCall[] {
    if (copyOf !== null) return []
    return toolCalls.filter(({ id }) => {
      if (id === '') return true
      const isNew = !this.#counted.has(id)
      this.#counted.add(id)
      return isNew
    })
  }
}
