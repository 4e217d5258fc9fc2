import type { DriftNote, InFile, ParseIssue } from '../model/issue.ts'
import type { FileKeys, Session } from '../model/message.ts'
import type { SessionFile } from '../model/session-summary.ts'
import { isSubagentPrompt } from '../parse/lift/prompt.ts'
import type { ParsedFile } from '../parse/log.ts'
import { readFileNameTime } from '../parse/session-file.ts'
import {
  type ConversationFiles,
  comparePlace,
  fileSpan,
  foldStubs,
  groupFiles,
  readSessionPath,
  type StitchFile,
  sortByCurrency,
} from './files.ts'
import { assignKeys, type GroupClaims, sessionKey } from './identity.ts'
import { joinFiles, mergeFiles, type PlacedMessages, placeMessages, type SessionPart } from './merge.ts'
import {
  earliestTime,
  isConversationMessage,
  isDamagedSession,
  lastMessageTime,
  latestTime,
  messageText,
} from './messages.ts'
import { billElsewhere } from './request-ids.ts'

/**
 * The sessions in the files of one group (one project, one sessionId; see `groupFiles`). Twins, copies and resumes become one session,
 * other conversations with the same id separate sessions. The result does not depend on the order of the files. `claims`: what is known
 * about their keys (`planKeys`) and requests.
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
 * A sub-agent's run: marked as such (0.31+), in a folder of its parent under its own id (0.37+), or starting with a sub-agent's prompt
 * (before). A `session-…` file in a folder is a main session that was moved there.
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

/** One run of the CLI, or an id that an editor reuses, can have several conversations: they are linked to each other. */
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
 * Chains the parts of conversations that `/compress` (0.18 to 0.24) continued in a new file with the same id: the earlier file ends with
 * the empty notice, the later one is the next to begin.
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
  // Files with a `kind` are from 0.31 or later, when the notice no longer means that another file follows.
  return current.parsed.endsWithCompress && current.parsed.header.kind === null
}

/**
 * A row for each damaged file (contract rule 7), with the complete messages before the damage; copies of a file share a row. A truncated
 * copy of an intact session is separate: it hides no other, and its repeated content is not counted.
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

/** The session id and start in the head of a file; if incomplete, the file name. */
function nameOf({ parsed }: StitchFile): string {
  const { sessionId, firstStartTime } = parsed.header
  return sessionId === null || firstStartTime === null
    ? readSessionPath(parsed.path).stem
    : `${sessionId}\n${firstStartTime}`
}

const ROLE_ORDER: readonly Role[] = ['current', 'segment', 'part', 'twin', 'copy', 'stub', 'damaged']

/** Merges the files of one conversation into a session. */
function buildSession(conversation: ConversationFiles): Session {
  const parts = mergeParts(conversation)
  const placed = placeMessages(parts)
  const files = sortByCurrency([...conversation.parts.flat(), ...conversation.stubs])
  const head = headOf(files)
  return {
    key: sessionKey(
      head.sessionId,
      birthOf(conversation.parts.length > 0 ? conversation.parts.flat() : files),
    ),
    // Set by `assignKeys`, which knows the other sessions.
    ownKeys: [],
    kind: conversation.kind,
    parentSessionId: conversation.kind === 'subagent' ? parentIdOf(files, head.sessionId) : null,
    sameRunKeys: [],
    ...head,
    lastUpdated: head.lastUpdated ?? lastMessageTime(placed.messages) ?? head.startTime,
    messages: placed.messages,
    segments: placed.segments,
    ...buried(parts, placed),
    resumedKeys: keysIn(placed, parts, (parsed) => parsed.resumedKeys),
    ...listFiles(conversation, parts, placed),
  }
}

/** What a session takes from its files besides messages. */
function headOf(files: readonly StitchFile[]) {
  return {
    sessionId: sessionIdOf(files),
    projectHash: firstOf(files, ({ parsed }) => parsed.header.projectHash),
    startTime: startTimeOf(files),
    lastUpdated: latestTime(files.map(({ parsed }) => parsed.header.lastUpdated)),
    summary: firstOf(files, ({ parsed }) => parsed.header.summary),
    directories:
      files.find(({ parsed }) => parsed.header.directories.length > 0)?.parsed.header.directories ?? [],
    issues: collectIssues(files),
    drift: collectDrift(files),
  }
}

/** The keys of a file as long as nothing else is known about it. */
function startKeys(file: StitchFile): FileKeys {
  const start = sessionKey(sessionIdOf([file]), birthOf([file]))
  return { start, file: start, session: start }
}

function sessionIdOf(files: readonly StitchFile[]): string {
  const recorded = firstOf(files, ({ parsed }) => parsed.header.sessionId)
  return recorded ?? readSessionPath(files[0]?.parsed.path ?? '').nameId
}

/** The distinguishing part of a key: the earliest first-metadata `startTime` as stored, else the file's name. */
function birthOf(files: readonly StitchFile[]): string {
  const stems = files.map(({ parsed }) => readSessionPath(parsed.path).stem).sort()
  return earliestTime(files.map(({ parsed }) => parsed.header.firstStartTime)) ?? stems[0] ?? ''
}

/** null: neither in the content nor in the name. Not the file's own time, since a copy has another. */
function startTimeOf(files: readonly StitchFile[]): string | null {
  return (
    earliestTime(files.map(({ parsed }) => parsed.header.startTime)) ??
    earliestTime(files.map(({ parsed }) => readFileNameTime(parsed.path))) ??
    earliestTime(files.flatMap(({ parsed }) => parsed.messages.map((message) => message.timestamp)))
  )
}

/** Up to 0.36 a sub-agent's file is beside its parent's and has the parent's id. */
function parentIdOf(files: readonly StitchFile[], sessionId: string): string {
  return firstOf(files, ({ parsed }) => readSessionPath(parsed.path).parentId) ?? sessionId
}

/** Contract rule 5: no message of the conversation is live, so the last state of each part with messages is displayed. */
function buried(parts: readonly SessionPart[], placed: PlacedMessages) {
  const { messages } = placed
  const talk = messages.filter(isConversationMessage)
  if (talk.length === 0 || talk.some((message) => message.superseded === null)) {
    return { buried: false, drawnKeys: null }
  }
  const drawnKeys = keysIn(placed, parts, (parsed) => parsed.drawnKeys ?? [])
  return {
    buried: true,
    drawnKeys: drawnKeys.length > 0 ? [...new Set(drawnKeys)] : messages.map((message) => message.key),
  }
}

/** Keys from the current file of each part, as in the session. */
function keysIn(
  { keys }: PlacedMessages,
  parts: readonly SessionPart[],
  read: (parsed: ParsedFile) => readonly string[],
): string[] {
  return parts.flatMap((part, index) => read(part.current.parsed).map((key) => keys[index]?.get(key) ?? key))
}

function firstOf<T>(files: readonly StitchFile[], read: (file: StitchFile) => T | null): T | null {
  for (const file of files) {
    const value = read(file)
    if (value !== null) return value
  }
  return null
}

/** What could not be read in the files of a session. Copies repeat each other's issues: each is reported once. */
function collectIssues(files: readonly StitchFile[]): InFile<ParseIssue>[] {
  const found = new Map<string, InFile<ParseIssue>>()
  for (const { parsed } of files) {
    for (const issue of parsed.issues) {
      const identity = JSON.stringify(issue)
      if (!found.has(identity)) found.set(identity, { ...issue, file: parsed.path })
    }
  }
  return [...found.values()]
}

/**
 * Names in the files of a session that no known version writes. Files repeat each other, in part or completely, so a name counts as often
 * as in the file that has it most: copies and twins add nothing.
 */
function collectDrift(files: readonly StitchFile[]): InFile<DriftNote>[] {
  const found = new Map<string, InFile<DriftNote>>()
  for (const { parsed } of files) {
    for (const note of parsed.drift) {
      const identity = `${note.where}\n${note.name}`
      const known = found.get(identity)
      if (known === undefined || known.count < note.count) found.set(identity, { ...note, file: parsed.path })
    }
  }
  return [...found.values()]
}

type Role = SessionFile['role']

/** The files of a session with their roles, the current one first. */
function listFiles(
  conversation: ConversationFiles,
  parts: readonly SessionPart[],
  placed: PlacedMessages,
): Pick<Session, 'files' | 'fileKeys'> {
  const last = parts.at(-1)?.current
  const own = findOwn(conversation, parts, placed)
  const all = [...conversation.parts.flat(), ...conversation.stubs].sort(comparePlace)
  const files = all.map((file) => {
    const role = roleOf(file, last, parts, own.has(file))
    const extra = role === 'part' || role === 'twin' ? own.get(file) : undefined
    return { listed: { ...toSessionFile(file, role), ...(extra && { own: extra }) }, keys: startKeys(file) }
  })
  files.sort((a, b) => ROLE_ORDER.indexOf(a.listed.role) - ROLE_ORDER.indexOf(b.listed.role))
  return { files: files.map(({ listed }) => listed), fileKeys: files.map(({ keys }) => keys) }
}

function roleOf(
  file: StitchFile,
  last: StitchFile | undefined,
  parts: readonly SessionPart[],
  hasOwn: boolean,
): Role {
  if (file.parsed.isDamaged) return 'damaged'
  if (file.parsed.isStub) return readSessionPath(file.parsed.path).isBackup ? 'copy' : 'stub'
  if (file === last) return 'current'
  if (parts.some((part) => part.file === file.parsed.path && part.current.home === file.home))
    return 'segment'
  if (parts.some((part) => isTwin(file, part.current))) return 'twin'
  return hasOwn ? 'part' : 'copy'
}

/**
 * What each file has that no other file of its session does. The remaining files only repeat others: without all of them the session is the
 * same.
 */
function findOwn(
  { parts: sets }: ConversationFiles,
  parts: readonly SessionPart[],
  { keys }: PlacedMessages,
): ReadonlyMap<StitchFile, NonNullable<SessionFile['own']>> {
  const needed = [...new Set(parts.map(({ current }) => current))]
  const own = new Map(needed.map((file) => [file, { messages: 0, firstKey: null as string | null }]))
  for (const file of sortByCurrency(sets.flat())) {
    if (own.has(file)) continue
    const inSession = parts.flatMap((part, index) =>
      (part.own.get(file) ?? []).flatMap((key) => keys[index]?.get(key) ?? []),
    )
    const [firstKey = null] = inSession
    if (firstKey === null && hasSameHead(needed, file)) continue
    needed.push(file)
    own.set(file, { messages: new Set(inSession).size, firstKey })
  }
  for (const set of sets.filter((each) => joinFiles(each.filter((file) => own.has(file))).length > 1))
    for (const file of set) if (!own.has(file)) own.set(file, { messages: 0, firstKey: null })
  return own
}

/** Whether a file adds nothing but messages to the session of these files. Deleted files are no proof: only the archive has them. */
function hasSameHead(files: readonly StitchFile[], file: StitchFile): boolean {
  const all = [...files, file]
  return (
    (file.kept !== undefined || files.every(({ kept }) => kept === undefined)) &&
    JSON.stringify(headOf(all)) === JSON.stringify(headOf(files)) &&
    files.some((each) => startKeys(each).start === startKeys(file).start) &&
    (file.parsed.header.movedFrom ?? []).length === 0
  )
}

/** The `.json` beside the `.jsonl` that a resume by 0.39+ made from it. */
function isTwin(a: StitchFile, b: StitchFile): boolean {
  const stemOf = ({ parsed }: StitchFile) => parsed.path.replace(/\.jsonl?$/, '')
  return a.home === b.home && a.parsed.format !== b.parsed.format && stemOf(a) === stemOf(b)
}

/** The segments of a conversation in time order, each merged from its files. */
function mergeParts({ parts, stubs }: ConversationFiles): SessionPart[] {
  const ends = parts.map((files) => fileSpan(files).endMs)
  const partOfStub = new Map(stubs.map((stub) => [stub, partRunningAt(fileSpan([stub]).startMs, ends)]))
  const withStubs = parts.map((files, index) => [
    ...files,
    ...stubs.filter((stub) => partOfStub.get(stub) === index),
  ])
  return (parts.length === 0 ? [stubs] : withStubs).flatMap((files, index) => {
    const merged = mergeFiles(files)
    if (merged === null) return []
    const { current, messages, olderStart, own } = merged
    const reason = index === 0 ? 'start' : 'compress'
    const file = current.parsed.path
    if (olderStart === 0) return [{ reason, file, current, messages, own }]
    const older = messages.slice(0, olderStart)
    return [
      { reason, file: older.find(isConversationMessage)?.source.file ?? file, current, messages: older, own },
      { reason: 'resume', file, current, messages: messages.slice(olderStart), own },
    ] satisfies SessionPart[]
  })
}

/** The part that was active when a stub was created; the last one if the resume came later. */
function partRunningAt(startMs: number, ends: readonly number[]): number {
  const running = ends.findIndex((endMs) => startMs <= endMs)
  return running === -1 ? ends.length - 1 : running
}

function toSessionFile({ home, parsed, kept }: StitchFile, role: SessionFile['role']): SessionFile {
  return {
    home,
    path: parsed.path,
    sizeBytes: parsed.sizeBytes,
    format: parsed.format,
    role,
    lastUpdated: parsed.header.lastUpdated,
    resumable: parsed.isResumable,
    ...(kept && { kept }),
  }
}

/**
 * The sessions in any number of parsed files, for use without a disk: a page with a dropped `.gemini` folder, an archive. Each folder in
 * `tmp/` counts as a separate project; `gemini-sessions/node` also knows which folders are one project.
 */
export function stitchFiles(files: Iterable<StitchFile>): Session[] {
  const grouped = [...files].map((file) => ({
    file,
    path: file.parsed.path,
    projectKey: readSessionPath(file.parsed.path).projectFolder,
    sessionId: file.parsed.header.sessionId,
    projectHash: file.parsed.header.projectHash,
    movedFrom: file.parsed.header.movedFrom,
    isKept: file.kept !== undefined,
  }))
  return [...groupFiles(grouped).values()].flatMap((members) => stitchGroup(members.map(({ file }) => file)))
}
