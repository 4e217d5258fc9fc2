import type { Conversation } from '../files/conversation.ts'
import { fileSpan } from '../files/file-span.ts'
import { isConversationMessage } from '../messages/is-conversation-message.ts'
import { mergeFiles } from './merge-files.ts'
import type { SessionPart } from './session-part.ts'

/** The segments of a conversation in time order, each merged from its files. */
export function mergeParts({ parts, stubs }: Conversation): SessionPart[] {
  const ends = parts.map((files) => fileSpan(files).endMs)
  const partOfStub = new Map(stubs.map((stub) => [stub, partRunningAt(fileSpan([stub]).startMs, ends)]))
  const withStubs = parts.map((files, index) => [
    ...files,
    ...stubs.filter((stub) => partOfStub.get(stub) === index),
  ])
  return (parts.length === 0 ? [stubs] : withStubs).flatMap((files, index) => {
    const merged = mergeFiles(files)
    if (merged === null) return []
    const { current, messages, olderStart } = merged
    const reason = index === 0 ? 'start' : 'compress'
    const file = current.parsed.path
    if (olderStart === 0) return [{ reason, file, current, messages }]
    const older = messages.slice(0, olderStart)
    return [
      { reason, file: older.find(isConversationMessage)?.source.file ?? file, current, messages: older },
      { reason: 'resume', file, current, messages: messages.slice(olderStart) },
    ] satisfies SessionPart[]
  })
}

/** The part that was running when a stub was made; the last one if the resume came later. */
function partRunningAt(startMs: number, ends: readonly number[]): number {
  const running = ends.findIndex((endMs) => startMs <= endMs)
  return running === -1 ? ends.length - 1 : running
}
