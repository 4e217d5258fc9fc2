import type { Message } from '../../model/message.ts'
import type { Segment } from '../../model/turn.ts'
import { earliestTime, lastMessageTime } from '../messages/message-times.ts'
import type { SessionPart } from './session-part.ts'

export interface PlacedMessages {
  messages: Message[]
  segments: Segment[]
  /** Per part: key in the file -> key in the session. */
  keys: ReadonlyMap<string, string>[]
}

/** Puts the parts of a session one behind the other, with keys that are unique in the session (contract rule 6). */
export function placeMessages(parts: readonly SessionPart[]): PlacedMessages {
  const taken = new Set<string>()
  const messages: Message[] = []
  const segments: Segment[] = []
  const keys: ReadonlyMap<string, string>[] = []
  for (const [index, part] of parts.entries()) {
    const placed = renameKeys(part.messages, taken)
    keys.push(placed.renamed)
    segments.push({
      index,
      reason: part.reason,
      file: part.file,
      firstOffset: messages.length,
      messages: placed.messages.length,
      startTime: earliestTime(placed.messages.map((message) => message.timestamp)),
      endTime: lastMessageTime(placed.messages),
    })
    for (const message of placed.messages) messages.push({ ...message, segment: index })
  }
  return { messages, segments, keys }
}

function renameKeys(messages: readonly Message[], taken: Set<string>) {
  const renamed = new Map<string, string>()
  const withKeys = messages.map((message) => {
    const key = freeKey(message, taken)
    taken.add(key)
    renamed.set(message.key, key)
    return { ...message, key }
  })
  const withCopies = withKeys.map((message) =>
    message.copyOf === null ? message : { ...message, copyOf: renamed.get(message.copyOf) ?? message.copyOf },
  )
  return { messages: withCopies, renamed }
}

function freeKey({ key, id }: Message, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key
  let number = 2
  while (taken.has(`${id}~${number}`)) number++
  return `${id}~${number}`
}
