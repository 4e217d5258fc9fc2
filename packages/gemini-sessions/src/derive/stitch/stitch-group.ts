import type { Session } from '../../model/session.ts'
import { isSubagentPrompt } from '../../parse/lift/prompt/is-subagent-prompt.ts'
import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import { fileSpan } from '../files/file-span.ts'
import { foldStubs } from '../files/fold-stubs.ts'
import { readSessionPath } from '../files/read-session-path.ts'
import { comparePlace, sortByCurrency } from '../files/sort-by-currency.ts'
import type { ConversationFiles, StitchFile } from '../files/stitch-file.ts'
import { assignKeys, type GroupClaims } from '../identity/assign-keys.ts'
import { joinFiles } from '../merge/join-files.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { isConversationMessage } from '../messages/message-kinds.ts'
import { messageText } from '../messages/message-text.ts'
import { billElsewhere } from '../sums/billed-elsewhere.ts'
import { buildSession, startKeys } from './build-session.ts'
import { toSessionFile } from './to-session-file.ts'

/**
 * The sessions behind the files of one group (one project, one sessionId; see `groupFiles`). Twins, copies and resumes
 * become one session, other conversations under the same id sessions of their own.
 * The result does not depend on the order of the files. `claims`: what is known about their keys (`planKeys`)
 * and requests.
 */
export function stitchGroup(files: readonly StitchFile[], claims?: GroupClaims): Session[] {
  const ordered = [...files].sort(comparePlace)
  const healthy = ordered.filter(({ parsed }) => !parsed.isDamaged)
  const conversations = [
    ...stitchKind(
      healthy.filter(({ parsed }) => !isSubagentFile(parsed)),
      'main',
    ),
    ...stitchKind(
      healthy.filter(({ parsed }) => isSubagentFile(parsed)),
      'subagent',
    ),
    ...damagedSessions(ordered.filter(({ parsed }) => parsed.isDamaged)),
  ]
  const sessions = linkSameRun(assignKeys(conversations, claims))
  return sessions.map((session) => billElsewhere(session, claims?.billed?.[session.key] ?? []))
}

/**
 * A sub-agent's run: marked as such (0.31+), in a folder of its parent under its own id (0.37+), or begun by a sub-agent's
 * prompt (before). A `session-…` file in a folder is a main session that somebody put there.
 */
function isSubagentFile(parsed: ParsedFile): boolean {
  if (parsed.header.kind !== null) return parsed.header.kind === 'subagent'
  const { parentId, stem } = readSessionPath(parsed.path)
  return (parentId !== null && !stem.startsWith('session-')) || opensWithSubagentPrompt(parsed)
}

function opensWithSubagentPrompt({ messages }: ParsedFile): boolean {
  const first = messages.find((message) => message.type === 'user')
  return first !== undefined && isSubagentPrompt(messageText(first))
}

function stitchKind(files: readonly StitchFile[], kind: ConversationFiles['kind']): Session[] {
  const sets = joinFiles(files.filter(({ parsed }) => !parsed.isStub))
  const chains = kind === 'main' ? linkCompressed(sets) : sets.map((set) => [set])
  const conversations = chains.map((parts): ConversationFiles => ({ kind, parts, stubs: [] }))
  const alone = foldStubs(
    conversations,
    files.filter(({ parsed }) => parsed.isStub),
  )
  return [...conversations, ...alone.map((stubs): ConversationFiles => ({ kind, parts: [], stubs }))].map(
    buildSession,
  )
}

/** One run of the CLI, or an id that an editor reuses, can hold several conversations: they name each other. */
function linkSameRun(sessions: readonly Session[]): Session[] {
  const talks = sessions.filter(
    (session) =>
      session.kind === 'main' && !isDamagedSession(session) && session.messages.some(isConversationMessage),
  )
  return sessions.map((session) => ({
    ...session,
    sameRunKeys:
      session.kind === 'main' ? talks.filter((talk) => talk !== session).map((talk) => talk.key) : [],
  }))
}

/**
 * Chains the parts of conversations that `/compress` (0.18 to 0.24) went on with in a new file under the same id:
 * the earlier file ends with the empty notice, the later one is the next to begin.
 */
function linkCompressed(sets: readonly StitchFile[][]): StitchFile[][][] {
  const parts = sets
    .map((files) => ({ files, ...fileSpan(files) }))
    .sort((a, b) => (a.startMs || 0) - (b.startMs || 0))
  const chains: StitchFile[][][] = []
  for (const [index, { files, startMs }] of parts.entries()) {
    const previous = parts[index - 1]
    const isNext = previous !== undefined && endsWithCompress(previous.files) && startMs >= previous.endMs
    if (isNext) chains.at(-1)?.push(files)
    else chains.push([files])
  }
  return chains
}

function endsWithCompress(files: readonly StitchFile[]): boolean {
  const [current] = sortByCurrency(files)
  if (current === undefined) return false
  // Files with a `kind` are of 0.31 or later, when the notice no longer means that another file follows.
  return current.parsed.endsWithCompress && current.parsed.header.kind === null
}

/**
 * A row for each damaged file (contract rule 7), with the whole messages before the cut; copies of one such file share a
 * row. A cut copy of a healthy session stays apart: it hides no other, and what it repeats counts nothing.
 */
function damagedSessions(files: readonly StitchFile[]): Session[] {
  const copies = new Map<string, StitchFile[]>()
  for (const file of files) {
    const { parsed } = file
    const likeness = `${nameOf(file)}\n${parsed.format}\n${parsed.sizeBytes}`
    copies.set(likeness, [...(copies.get(likeness) ?? []), file])
  }
  return [...copies.values()].map((all) => {
    const isSubagent = all.some(({ parsed }) => isSubagentFile(parsed))
    const session = buildSession({ kind: isSubagent ? 'subagent' : 'main', parts: [], stubs: all })
    return {
      ...session,
      files: all.map((each) => toSessionFile(each, 'damaged')),
      fileKeys: all.map(startKeys),
    }
  })
}

/** What the head of a file says of its session; where it says too little, the file's own name. */
function nameOf({ parsed }: StitchFile): string {
  const { sessionId, firstStartTime } = parsed.header
  return sessionId === null || firstStartTime === null
    ? readSessionPath(parsed.path).stem
    : `${sessionId}\n${firstStartTime}`
}
