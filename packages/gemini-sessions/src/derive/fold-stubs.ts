import type { Conversation } from './conversation.ts'
import { fileSpan } from './file-span.ts'
import { readSessionPath } from './session-path.ts'
import type { StitchFile } from './stitch-file.ts'

const MINUTE_MS = 60_000
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Gives each stub to the one conversation of its id that can be meant: a resume (0.39+) leaves a file of its own
 * with nothing but metadata while it appends to the older one. Returns the stubs that stand alone, copies together.
 */
export function foldStubs(
  conversations: readonly Conversation[],
  stubs: readonly StitchFile[],
): StitchFile[][] {
  const alone = new Map<string, StitchFile[]>()
  for (const stub of stubs) {
    const owner = ownerOf(stub, conversations)
    if (owner) owner.stubs.push(stub)
    else alone.set(birthOf(stub), [...(alone.get(birthOf(stub)) ?? []), stub])
  }
  return [...alone.values()]
}

function ownerOf(stub: StitchFile, conversations: readonly Conversation[]): Conversation | undefined {
  const { startMs } = fileSpan([stub])
  const running = conversations.filter((conversation) => wasRunning(conversation, startMs))
  if (running.length > 0) return running.length === 1 ? running[0] : undefined
  const [only, ...others] = conversations
  return only && others.length === 0 && isLaterResume(stub, only, startMs) ? only : undefined
}

function wasRunning(conversation: Conversation, timeMs: number): boolean {
  const { startMs, endMs } = fileSpan(conversation.parts.flat())
  return minute(startMs) <= minute(timeMs) && minute(timeMs) <= minute(endMs)
}

/**
 * A resume in which nothing was said leaves no trace in the conversation. A UUID names one run, so its only
 * conversation is meant; ids that editors reuse (`a2a-server`) prove nothing.
 */
function isLaterResume(stub: StitchFile, only: Conversation, timeMs: number): boolean {
  const isUnique = UUID.test(stub.parsed.header.sessionId ?? '')
  return isUnique && minute(timeMs) > minute(fileSpan(only.parts.flat()).endMs)
}

function minute(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS)
}

/** Equal for copies of one stub. */
function birthOf({ parsed }: StitchFile): string {
  return parsed.header.firstStartTime ?? readSessionPath(parsed.path).stem
}
