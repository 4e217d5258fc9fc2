import type { Message, Session, ToolCall } from '../model/message.ts'
import type { SessionFile } from '../model/session-summary.ts'

/** How the CLI records `!command`. */
const SHELL_COMMAND = /^I ran the following shell command:\s*```\w*\n([\s\S]*?)\n```/

/** Terminal colors (a control character and `[31m`), and bidirectional controls. */
const INVISIBLE = /\p{Cc}\[[\d;]*[A-Za-z]|[\u202A-\u202E\u2066-\u2069]/gu

/** All text of a message, without attachments, thoughts and tools. */
export function messageText({ content }: Message): string {
  const [first] = content
  // Nearly every message is one text, and this is called repeatedly for all messages of a session.
  if (content.length === 1 && first?.kind === 'text') return first.text
  const texts: string[] = []
  for (const part of content) if (part.kind === 'text') texts.push(part.text)
  return texts.join('\n')
}

/**
 * Text on one line, at most `maxLength` characters, cut with an ellipsis and never inside a surrogate pair. An ASCII word that does not fit
 * is left out completely: half a secret would not be recognized by the redactor. A long path or URL ends at one of its separators; a first
 * word is cut.
 */
export function oneLine(text: string, maxLength: number): string {
  // Enough for any line of this length, however much whitespace is collapsed.
  const head = text.slice(0, maxLength * 20)
  const line = head
    .replace(INVISIBLE, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= maxLength) return line
  const cut = characters.slice(0, maxLength - 1).join('')
  // the cut is between two words
  if (/\s$/.test(cut) || characters[maxLength - 1] === ' ') return `${cut.trimEnd()}…`
  return `${cut}…`.replace(/ [!-~]+…$/, (word) => {
    const part = word.length > maxLength / 2 ? (/^.*[/?&=]/.exec(word)?.[0] ?? '') : ''
    return part === '' ? ' …' : `${part}…`
  })
}

/** A prompt's text on one line; `!command` for shell mode. '' if it has no text. */
export function promptLine(message: Message, maxLength: number): string {
  return oneLine(promptText(message), maxLength)
}

/** A prompt's text; `!command` for shell mode. */
export function promptText(message: Message): string {
  const text = messageText(message)
  const command = SHELL_COMMAND.exec(text)?.[1]
  return command === undefined ? text : `!${command}`
}

/** Has text or anything else that is displayed, such as an image. */
export function saysSomething(message: Message): boolean {
  return messageText(message).trim() !== '' || message.content.some(({ kind }) => kind !== 'text')
}

/** Arguments that describe a call, the most informative first. */
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

/** What a call does, in a few words: its stored description, else from its arguments. */
export function callLine({ args, description }: Pick<ToolCall, 'args' | 'description'>): string {
  const named =
    typeof args === 'object' && args !== null ? new Map<string, unknown>(Object.entries(args)) : null
  const command = named?.get('command') ?? named?.get('CommandLine')
  // A shell call's description mixes the command with its folder and purpose.
  if (typeof command === 'string') return command
  if (description !== null && description.trim() !== '') return description
  const telling = TELLING.map((name) => named?.get(name)).find((value) => typeof value === 'string')
  return typeof telling === 'string' ? telling : ''
}

/** The earliest of these ISO times; ignores missing and invalid ones. */
export function earliestTime(times: Iterable<string | null>): string | null {
  let earliest: string | null = null
  let earliestMs = Number.POSITIVE_INFINITY
  for (const time of times) {
    const timeMs = time === null ? Number.NaN : Date.parse(time)
    if (timeMs < earliestMs) [earliest, earliestMs] = [time, timeMs]
  }
  return earliest
}

/** The latest of these ISO times; ignores missing and invalid ones. */
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

/** The same text for the same arguments, in any order of properties. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  )
}

/** The messages that represent the session: the live ones, or in a buried session those of its last conversation. */
export function drawnMessages(session: Pick<Session, 'messages' | 'drawnKeys'>): Message[] {
  const { drawnKeys, messages } = session
  if (drawnKeys === null) return messages.filter((message) => message.superseded === null)
  const drawn = new Set(drawnKeys)
  return messages.filter((message) => drawn.has(message.key))
}

/** None of its files is intact: the CLI reads none of it, and what precedes the damage gives no reliable figures. */
export function isDamagedSession({ files }: { files: readonly SessionFile[] }): boolean {
  return files.length > 0 && files.every(({ role }) => role === 'damaged')
}

/**
 * The messages that count as spent. A saved chat repeats calls that are counted for its session; a damaged file may repeat those of an
 * intact one, and its figures are 0 (contract rule 7).
 */
export function spentMessages(session: Pick<Session, 'kind' | 'messages' | 'files'>): Message[] {
  return session.kind === 'checkpoint' || isDamagedSession(session) ? [] : session.messages
}

/** Typed by the user. Excludes the prompt of a sub-agent that an old version recorded in its parent's file. */
export function isPrompt(message: Message): boolean {
  return message.origin === 'human' && message.agentKey === null
}

/** A request that the model answered, superseded or not; a copy under a new id does not count. */
export function isModelCall(message: Message): boolean {
  return message.origin === 'model' && message.copyOf === null
}

/** By the user or the model: what distinguishes conversations. */
export function isConversationMessage(message: Message): boolean {
  return message.origin === 'human' || message.origin === 'model'
}

/** Another record of the message it is a copy of, with its own text: a JSON document can have one id several times. */
export function isRecordedAgain({ id, copyOf }: Pick<Message, 'id' | 'copyOf'>): boolean {
  return id !== '' && copyOf !== null && (copyOf === id || copyOf.startsWith(`${id}~`))
}

/**
 * Finds the first record of each tool call: copies repeat calls, and so does a rewrite under new ids that is not an exact copy (0.57+), but
 * call ids are unique. Every "ever recorded" figure is counted with this.
 */
export class RecordedCalls {
  readonly #counted = new Set<string>()

  /** The new calls of the next message, in recorded order. */
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
