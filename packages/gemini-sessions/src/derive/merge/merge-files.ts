import type { Message } from '../../model/message.ts'
import { sortByCurrency } from '../files/sort-by-currency.ts'
import type { StitchFile } from '../files/stitch-file.ts'
import { isConversationMessage } from '../messages/is-conversation-message.ts'
import { messageText } from '../messages/message-text.ts'
import { insertOlder, type NamedTime, type OlderMessage } from './insert-older.ts'
import { mergeMessage } from './merge-message.ts'

export interface MergedFiles {
  /** The file whose live list stands. */
  current: StitchFile
  /** Every message that any of the files recorded, once, in drawn order; keys as in the files. */
  messages: Message[]
  /** How many messages at the start, a part of the talk, only an older file holds. */
  olderStart: number
}

/** Merges files of one conversation (contract rules 2 and 3): the current file's list, filled up from the others. */
export function mergeFiles(files: readonly StitchFile[]): MergedFiles | null {
  const [current, ...others] = sortByCurrency(files)
  if (current === undefined) return null
  const { knownIds, messages: own } = current.parsed
  const merged = new Map(own.map((message) => [identity(message), message]))
  const older = others.flatMap((other) => mergeInto(merged, other.parsed.messages, knownIds))
  if (others.length > 0) drawCopies(merged)
  const messages = insertOlder(own.map(toNamedTime), older).flatMap((name) => merged.get(name) ?? [])
  return { current, messages, olderStart: countOlderStart(messages, own) }
}

/** Fills up what is known of each message. Returns those that no newer file holds. */
function mergeInto(
  merged: Map<string, Message>,
  messages: readonly Message[],
  knownIds: ReadonlySet<string>,
): OlderMessage[] {
  const older: OlderMessage[] = []
  let predecessor: string | null = null
  for (const message of messages) {
    const name = identity(message)
    const known = merged.get(name)
    if (known !== undefined) merged.set(name, mergeMessage(known, message))
    else {
      const wasDropped = message.superseded === null && message.id !== '' && knownIds.has(message.id)
      const kept: Message = wasDropped ? { ...message, superseded: 'replaced' } : message
      merged.set(name, kept)
      const { timeMs } = toNamedTime(kept)
      const isPlacedByTime = kept.superseded === null && !Number.isNaN(timeMs)
      older.push({ name, timeMs, isPlacedByTime, predecessor })
    }
    predecessor = name
  }
  return older
}

/** What a copy shows is its original's, and that may have become richer. */
function drawCopies(merged: Map<string, Message>): void {
  for (const [name, copy] of merged) {
    const original = copy.copyOf === null ? undefined : merged.get(copy.copyOf)
    if (original === undefined) continue
    const { thoughts, toolCalls, model } = original
    merged.set(name, { ...copy, thoughts, toolCalls, model })
  }
}

function toNamedTime(message: Message): NamedTime {
  return { name: identity(message), timeMs: Date.parse(message.timestamp ?? '') }
}

function countOlderStart(messages: readonly Message[], own: readonly Message[]): number {
  const ownIdentities = new Set(own.map(identity))
  const talk = messages.filter(isConversationMessage)
  const firstOwn = talk.find((message) => ownIdentities.has(identity(message)))
  return firstOwn === undefined || firstOwn === talk[0] ? 0 : messages.indexOf(firstOwn)
}

/** Equal for the same message in two files. A message without an id is itself only if it also says the same. */
function identity(message: Message): string {
  return message.id === '' ? `${message.key}\n${message.type}\n${messageText(message)}` : message.key
}
