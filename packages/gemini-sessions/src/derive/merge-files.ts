import type { Message } from '../model/message.ts'
import { compareCurrency } from './compare-currency.ts'
import { isConversationMessage } from './is-conversation-message.ts'
import { mergeMessage } from './merge-message.ts'
import { messageText } from './message-text.ts'
import type { StitchFile } from './stitch-file.ts'

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
  const [current, ...others] = [...files].sort(compareCurrency)
  if (current === undefined) return null
  const { knownIds, messages: own } = current.parsed
  let messages = own
  for (const other of others) messages = mergeInto(messages, other.parsed.messages, knownIds)
  return { current, messages, olderStart: countOlderStart(messages, own) }
}

function mergeInto(
  newer: readonly Message[],
  older: readonly Message[],
  knownIds: ReadonlySet<string>,
): Message[] {
  const olderByIdentity = new Map(older.map((message) => [identity(message), message]))
  const merged = newer.map((message) => {
    const revision = olderByIdentity.get(identity(message))
    return revision ? mergeMessage(message, revision) : message
  })
  const place = new Set(merged.map(identity))
  for (const [index, message] of older.entries()) {
    if (place.has(identity(message))) continue
    place.add(identity(message))
    const wasDropped = message.superseded === null && message.id !== '' && knownIds.has(message.id)
    const kept: Message = wasDropped ? { ...message, superseded: 'rewound' } : message
    merged.splice(placeOf(kept, merged, older[index - 1]), 0, kept)
  }
  return merged
}

/** Where a message that only the older file holds goes: a live one by its time, any other behind its predecessor. */
function placeOf(message: Message, merged: readonly Message[], predecessor: Message | undefined): number {
  const timeMs = message.superseded === null ? Date.parse(message.timestamp ?? '') : Number.NaN
  if (!Number.isNaN(timeMs)) {
    return merged.findLastIndex((other) => Date.parse(other.timestamp ?? '') <= timeMs) + 1
  }
  if (predecessor === undefined) return 0
  const before = identity(predecessor)
  return merged.findLastIndex((other) => identity(other) === before) + 1
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
