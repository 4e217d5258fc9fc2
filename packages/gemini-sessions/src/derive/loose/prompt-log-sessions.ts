import type { Message } from '../../model/message.ts'
import type { ParseIssue } from '../../model/parse-issue.ts'
import type { Session } from '../../model/session.ts'
import type { SessionFile } from '../../model/session-summary.ts'
import { toIsoTime } from '../../parse/row/to-iso-time.ts'
import { placeKey, sessionKey } from '../identity/keys.ts'
import { earliestTime, lastMessageTime } from '../messages/message-times.ts'
import type { ReadPromptLog, TypedEntry } from './read-prompt-log.ts'

/**
 * Sessions of which nothing is left but what the user typed: those in a project's `logs.json` that no session file
 * holds (versions up to 0.3, and what the CLI's clean-up deleted). Copies of a log in several folders count once.
 */
export function promptLogSessions(
  logs: readonly Pick<ReadPromptLog, 'entries'>[],
  projectKey: string,
  knownIds: ReadonlySet<string>,
): Session[] {
  const bySession = new Map<string, Map<string, TypedEntry>>()
  for (const entry of logs.flatMap(({ entries }) => entries)) {
    if (knownIds.has(entry.sessionId)) continue
    const entries = bySession.get(entry.sessionId) ?? new Map<string, TypedEntry>()
    const identity = `${entry.messageId}\n${String(entry.timestamp)}\n${entry.message}`
    if (!entries.has(identity)) entries.set(identity, entry)
    bySession.set(entry.sessionId, entries)
  }
  return [...bySession].map(([sessionId, entries]) =>
    toSession(sessionId, projectKey, inOrder([...entries.values()])),
  )
}

/** What one log lost stands where it was typed, not behind what it still holds. */
function inOrder(entries: readonly TypedEntry[]): readonly TypedEntry[] {
  if (new Set(entries.map(({ file }) => file)).size < 2) return entries
  const timeOf = ({ timestamp }: TypedEntry) => toIsoTime(timestamp) ?? ''
  return entries.toSorted((one, other) =>
    timeOf(one) < timeOf(other) ? -1 : timeOf(one) > timeOf(other) ? 1 : 0,
  )
}

function toSession(sessionId: string, projectKey: string, entries: readonly TypedEntry[]): Session {
  const taken = new Map<string, number>()
  const messages = entries.map((entry): Message => {
    const id = String(entry.messageId ?? `entry-${entry.index}`)
    const count = (taken.get(id) ?? 0) + 1
    taken.set(id, count)
    return toMessage(entry, count === 1 ? id : `${id}~${count}`)
  })
  const startTime = earliestTime(messages.map((message) => message.timestamp))
  const endTime = lastMessageTime(messages)
  // a log that was copied to another project tells of the same ids and times there
  const key = placeKey(sessionKey(sessionId, startTime ?? 'logs'), projectKey)
  const file = entries[0]?.file ?? ''
  const segments: Session['segments'] = [
    { index: 0, reason: 'start', file, firstOffset: 0, messages: messages.length, startTime, endTime },
  ]
  // The log belongs to all sessions of the project, so to none.
  return {
    ...NOTHING_SAID,
    key,
    ownKeys: [key],
    sessionId,
    startTime,
    lastUpdated: endTime,
    messages,
    segments,
  }
}

const NOTHING_SAID = {
  kind: 'prompts-only',
  fileKeys: [],
  parentSessionId: null,
  sameRunKeys: [],
  projectHash: null,
  startTime: null,
  lastUpdated: null,
  summary: null,
  directories: [],
  messages: [],
  buried: false,
  drawnKeys: null,
  resumedKeys: [],
  files: [],
  issues: [],
  drift: [],
} satisfies Partial<Session>

/** A prompt log that is damaged, or none, as a row that says so (contract rule 7); its prompts are in sessions of their own. `files`: it and its copies. */
export function damagedLogSession(
  { path, issue, projectKey }: { path: string; issue: ParseIssue; projectKey: string },
  files: readonly SessionFile[],
): Session {
  const key = placeKey(sessionKey(path, 'logs'), projectKey)
  const segments: Session['segments'] = [
    { index: 0, reason: 'start', file: path, firstOffset: 0, messages: 0, startTime: null, endTime: null },
  ]
  return {
    ...NOTHING_SAID,
    key,
    ownKeys: [key],
    sessionId: path,
    segments,
    files: [...files],
    issues: [{ ...issue, file: path }],
  }
}

function toMessage({ message, timestamp, messageId, file, index }: TypedEntry, key: string): Message {
  return {
    key,
    id: messageId === null ? '' : String(messageId),
    type: 'user',
    origin: 'human',
    timestamp: toIsoTime(timestamp),
    model: null,
    content: [{ kind: 'text', text: message }],
    attachments: [],
    thoughts: [],
    toolCalls: [],
    usage: null,
    cost: null,
    superseded: null,
    copyOf: null,
    agentKey: null,
    segment: 0,
    source: { file, index },
  }
}
