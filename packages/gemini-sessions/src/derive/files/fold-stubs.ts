import { type FileSpan, fileSpan } from './file-span.ts'
import { readSessionPath } from './read-session-path.ts'
import type { ConversationFiles, StitchFile } from './stitch-file.ts'

const MINUTE_MS = 60_000
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Gives each stub to the one conversation of its id that can be meant: a resume (0.39+) leaves a file of its own
 * with nothing but metadata while it appends to the older one. Returns the stubs that stand alone, copies together.
 */
export function foldStubs(
  conversations: readonly ConversationFiles[],
  stubs: readonly StitchFile[],
): StitchFile[][] {
  if (stubs.length === 0) return []
  const runs = conversations.map((conversation) => ({ conversation, ...fileSpan(conversation.parts.flat()) }))
  const alone = new Map<string, StitchFile[]>()
  for (const stub of stubs) {
    const owner = ownerOf(stub, runs)
    if (owner) owner.stubs.push(stub)
    else alone.set(birthOf(stub), [...(alone.get(birthOf(stub)) ?? []), stub])
  }
  return [...alone.values()]
}

type Run = FileSpan & { conversation: ConversationFiles }

function ownerOf(stub: StitchFile, runs: readonly Run[]): ConversationFiles | null {
  const bornMinute = minute(fileSpan([stub]).startMs)
  const running = runs.filter((run) => minute(run.startMs) <= bornMinute && bornMinute <= minute(run.endMs))
  const [first, ...others] =
    running.length > 0 ? running : runs.filter((run) => mayResume(stub, run, bornMinute))
  return first !== undefined && others.length === 0 ? first.conversation : null
}

/**
 * A resume in which nothing was said leaves no trace in the conversation. A UUID names one run, so its only
 * conversation is meant; ids that editors reuse (`a2a-server`) prove nothing.
 */
function mayResume({ parsed }: StitchFile, { endMs }: Run, bornMinute: number): boolean {
  return UUID.test(parsed.header.sessionId ?? '') && bornMinute > minute(endMs)
}

function minute(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS)
}

/** Equal for copies of one stub. */
function birthOf({ parsed }: StitchFile): string {
  return parsed.header.firstStartTime ?? readSessionPath(parsed.path).stem
}
