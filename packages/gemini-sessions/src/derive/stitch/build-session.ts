import type { Session } from '../../model/session.ts'
import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import { readFileNameTime } from '../../parse/session-file/read-file-name-time.ts'
import type { Conversation } from '../files/conversation.ts'
import { readSessionPath } from '../files/read-session-path.ts'
import { sortByCurrency } from '../files/sort-by-currency.ts'
import type { StitchFile } from '../files/stitch-file.ts'
import { sessionKey } from '../identity/session-key.ts'
import { mergeParts } from '../merge/merge-parts.ts'
import { type PlacedMessages, placeMessages } from '../merge/place-messages.ts'
import type { SessionPart } from '../merge/session-part.ts'
import { earliestTime } from '../messages/earliest-time.ts'
import { isConversationMessage } from '../messages/is-conversation-message.ts'
import { lastMessageTime } from '../messages/last-message-time.ts'
import { latestTime } from '../messages/latest-time.ts'
import { collectDrift } from './collect-drift.ts'
import { collectIssues } from './collect-issues.ts'
import { listFiles } from './list-files.ts'

/** Merges the files of one conversation into a session. */
export function buildSession(conversation: Conversation): Session {
  const parts = mergeParts(conversation)
  const placed = placeMessages(parts)
  const files = sortByCurrency([...conversation.parts.flat(), ...conversation.stubs])
  const sessionId = sessionIdOf(files)
  const startTime = startTimeOf(files)
  return {
    key: sessionKey(sessionId, birthOf(conversation.parts.length > 0 ? conversation.parts.flat() : files)),
    ownKeys: [...new Set(files.map((file) => sessionKey(sessionIdOf([file]), birthOf([file]))))].sort(),
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
    files: listFiles(conversation, parts),
    issues: collectIssues(files),
    drift: collectDrift(files),
  }
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

function startTimeOf(files: readonly StitchFile[]): string | null {
  return (
    earliestTime(files.map(({ parsed }) => parsed.header.startTime)) ??
    earliestTime(files.map(({ parsed }) => readFileNameTime(parsed.path))) ??
    earliestTime(files.flatMap(({ parsed }) => parsed.messages.map((message) => message.timestamp))) ??
    earliestTime(files.map((file) => file.modifiedTime))
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
