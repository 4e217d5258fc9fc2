import type { Message } from '../../model/message.ts'
import type { TypedOnly } from '../../model/neighbours.ts'
import type { Session } from '../../model/session.ts'
import { toIsoTime } from '../../parse/row/to-iso-time.ts'
import type { TypedEntry } from '../loose/read-prompt-log.ts'
import { messageText } from '../messages/message-text.ts'

/**
 * What was typed in a session and is in none of its files: slash commands, and prompts that a failed request or an old
 * version's rewind removed. `siblings`: all sessions of the same sessionId, this one among them.
 */
export function findTypedOnly(
  session: Session,
  siblings: readonly Session[],
  entries: readonly TypedEntry[],
): TypedOnly[] {
  const typed = distinct(entries.filter(({ sessionId }) => sessionId === session.sessionId))
  if (typed.length === 0) return []
  const recorded = countTexts(siblings.flatMap(({ messages }) => messages))
  const shellLines = siblings.flatMap(({ messages }) => messages.map(messageText).filter(isShellLine))
  const missing = typed.filter(({ message }) => {
    const text = normalized(message)
    const count = recorded.get(text) ?? 0
    if (count > 0) recorded.set(text, count - 1)
    return count === 0 && !shellLines.some((line) => line.includes(text.replace(/^!\s*/, '')))
  })
  return missing
    .map(({ message, timestamp }) => ({
      text: message,
      timestamp: toIsoTime(timestamp),
      isCommand: /^[/?]/.test(message.trimStart()),
    }))
    .filter(({ timestamp }) => ownerOf(timestamp, siblings) === session)
}

/** How often each text was recorded; a copy under a new id is no second time. */
function countTexts(messages: readonly Message[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const message of messages) {
    if (message.origin !== 'human' || message.copyOf !== null) continue
    const text = normalized(messageText(message))
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

function isShellLine(text: string): boolean {
  return text.startsWith('I ran the following shell command')
}

function normalized(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The log of a project was copied with its folder (0.29). */
function distinct(entries: readonly TypedEntry[]): TypedEntry[] {
  return [
    ...new Map(
      entries.map((entry) => [JSON.stringify([entry.messageId, entry.timestamp, entry.message]), entry]),
    ).values(),
  ]
}

/** Of several conversations of one run (`/clear` up to 0.34): the last that had begun; the first, if none had. */
function ownerOf(timestamp: string | null, siblings: readonly Session[]): Session | undefined {
  const inOrder = [...siblings].sort((a, b) => ((a.startTime ?? '') < (b.startTime ?? '') ? -1 : 1))
  const begun = inOrder.findLast(({ startTime }) => (startTime ?? '') <= (timestamp ?? ''))
  return begun ?? inOrder[0]
}
