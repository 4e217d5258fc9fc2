import type { DriftNote, InFile, ParseIssue } from '../../model/parse-issue.ts'
import type { FileKeys, Session } from '../../model/session.ts'
import type { SessionFile } from '../../model/session-summary.ts'
import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import { readFileNameTime } from '../../parse/session-file/read-file-name-time.ts'
import { fileSpan } from '../files/file-span.ts'
import { readSessionPath } from '../files/read-session-path.ts'
import { comparePlace, sortByCurrency } from '../files/sort-by-currency.ts'
import type { ConversationFiles, StitchFile } from '../files/stitch-file.ts'
import { sessionKey } from '../identity/keys.ts'
import { mergeFiles } from '../merge/merge-files.ts'
import { type PlacedMessages, placeMessages } from '../merge/place-messages.ts'
import type { SessionPart } from '../merge/session-part.ts'
import { isConversationMessage } from '../messages/message-kinds.ts'
import { earliestTime, lastMessageTime, latestTime } from '../messages/message-times.ts'
import { toSessionFile } from './to-session-file.ts'

const ROLE_ORDER: readonly Role[] = ['current', 'segment', 'twin', 'copy', 'stub', 'damaged']

/** Merges the files of one conversation into a session. */
export function buildSession(conversation: ConversationFiles): Session {
  const parts = mergeParts(conversation)
  const placed = placeMessages(parts)
  const files = sortByCurrency([...conversation.parts.flat(), ...conversation.stubs])
  const sessionId = sessionIdOf(files)
  const startTime = startTimeOf(files)
  return {
    key: sessionKey(sessionId, birthOf(conversation.parts.length > 0 ? conversation.parts.flat() : files)),
    // `assignKeys` decides them: it knows the other sessions.
    ownKeys: [],
    sessionId,
    kind: conversation.kind,
    parentSessionId: conversation.kind === 'subagent' ? parentIdOf(files, sessionId) : null,
    sameRunKeys: [],
    projectHash: firstOf(files, ({ parsed }) => parsed.header.projectHash),
    startTime,
    lastUpdated:
      latestTime(files.map(({ parsed }) => parsed.header.lastUpdated)) ??
      lastMessageTime(placed.messages) ??
      startTime,
    summary: firstOf(files, ({ parsed }) => parsed.header.summary),
    directories:
      files.find(({ parsed }) => parsed.header.directories.length > 0)?.parsed.header.directories ?? [],
    messages: placed.messages,
    segments: placed.segments,
    ...buried(parts, placed),
    resumedKeys: keysIn(placed, parts, (parsed) => parsed.resumedKeys),
    ...listFiles(conversation, parts),
    issues: collectIssues(files),
    drift: collectDrift(files),
  }
}

/** The keys of a file as long as nothing else is known about it. */
export function startKeys(file: StitchFile): FileKeys {
  const start = sessionKey(sessionIdOf([file]), birthOf([file]))
  return { start, file: start, session: start }
}

function sessionIdOf(files: readonly StitchFile[]): string {
  const recorded = firstOf(files, ({ parsed }) => parsed.header.sessionId)
  return recorded ?? readSessionPath(files[0]?.parsed.path ?? '').nameId
}

/** What makes a key its own: the earliest first-metadata `startTime` as stored, else the file's name. */
function birthOf(files: readonly StitchFile[]): string {
  const stems = files.map(({ parsed }) => readSessionPath(parsed.path).stem).sort()
  return earliestTime(files.map(({ parsed }) => parsed.header.firstStartTime)) ?? stems[0] ?? ''
}

/** null: neither content nor name tell one. When a file was written says nothing of it, as a copy is written anew. */
function startTimeOf(files: readonly StitchFile[]): string | null {
  return (
    earliestTime(files.map(({ parsed }) => parsed.header.startTime)) ??
    earliestTime(files.map(({ parsed }) => readFileNameTime(parsed.path))) ??
    earliestTime(files.flatMap(({ parsed }) => parsed.messages.map((message) => message.timestamp)))
  )
}

/** Up to 0.36 a sub-agent's file lies beside its parent's and carries the parent's id. */
function parentIdOf(files: readonly StitchFile[], sessionId: string): string {
  return firstOf(files, ({ parsed }) => readSessionPath(parsed.path).parentId) ?? sessionId
}

/** Contract rule 5: nothing of the talk is live, so the last state of each part that held some is drawn. */
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

/** Keys that the current file of each part tells, as the session has them. */
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

/** What could not be read in the files of a session. Copies repeat each other's findings: each is told once. */
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
 * What no known version writes, in the files of a session. They repeat each other, in part or whole, so a name counts
 * as often as in the file that has it most: copies and twins add nothing.
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
): Pick<Session, 'files' | 'fileKeys'> {
  const last = parts.at(-1)?.current
  const all = [...conversation.parts.flat(), ...conversation.stubs].sort(comparePlace)
  const roles = new Map(all.map((file) => [file, roleOf(file, last, parts)]))
  const roleOfFile = (file: StitchFile) => roles.get(file) ?? 'copy'
  const sorted = all.toSorted((a, b) => ROLE_ORDER.indexOf(roleOfFile(a)) - ROLE_ORDER.indexOf(roleOfFile(b)))
  return {
    files: sorted.map((file) => toSessionFile(file, roleOfFile(file))),
    fileKeys: sorted.map(startKeys),
  }
}

function roleOf(file: StitchFile, last: StitchFile | undefined, parts: readonly SessionPart[]): Role {
  if (file.parsed.isDamaged) return 'damaged'
  if (readSessionPath(file.parsed.path).isBackup) return 'copy'
  if (file.parsed.isStub) return 'stub'
  if (file === last) return 'current'
  if (parts.some((part) => part.file === file.parsed.path && part.current.home === file.home))
    return 'segment'
  return parts.some((part) => isTwin(file, part.current)) ? 'twin' : 'copy'
}

/** The `.json` beside the `.jsonl` that a resume by 0.39+ made of it. */
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
