import type { KeepStatus } from '@gemini-dash/api'
import { addedFrom } from '@gemini-dash/api/source-names'
import type { Message, PathEvidence, Project, SessionFailures, SessionSummary, Turn } from 'gemini-sessions'
import { dayOf, formatDate } from './dates.ts'
import { formatCount, formatExactUsd, formatPlural, formatSize } from './figures.ts'

type Cause = NonNullable<Message['superseded']>

/** Labels for messages that are not part of the CLI's final state. */
export const SUPERSEDED_WORD: Record<Cause, string> = {
  rewound: 'rewound',
  compacted: 'compressed',
  aborted: 'unanswered',
  replaced: 'replaced',
}

/** The same, explained without the CLI's terms. */
export const SUPERSEDED_MEANING: Record<Cause, string> = {
  rewound: 'Rewound: undone with /rewind, no longer part of the conversation. Already billed.',
  compacted: 'Replaced by a summary when the context was compressed. Already billed.',
  aborted:
    'The request failed or was stopped, and Gemini CLI dropped it. What was sent may have been billed.',
  replaced: 'Gemini CLI replaced it with another version. Both were billed.',
}

const DAY_MS = 86_400_000
/** Deletions are announced this far ahead, as on the health page. */
const WARNED_DAYS = 7

/** Calendar days until Gemini CLI deletes a session: 0 for today, negative for its next start; null if more than a week. */
export function deletionDays(deletedAfter: string | null, now: Date): number | null {
  const due = new Date(deletedAfter ?? '')
  const leftMs = due.getTime() - now.getTime()
  if (Number.isNaN(leftMs) || leftMs > WARNED_DAYS * DAY_MS) return null
  if (leftMs <= 0) return -1
  // daylight saving makes days longer or shorter
  return (Date.parse(dayOf(due)) - Date.parse(dayOf(now))) / DAY_MS
}

/** `on next start`, `today`, `tomorrow`, `in 3 days`: when Gemini CLI deletes a session; null if more than a week. */
export function describeDeletion(deletedAfter: string | null, now: Date): string | null {
  const days = deletionDays(deletedAfter, now)
  if (days === null) return null
  if (days < 0) return 'on next start'
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`
}

/**
 * `Deleted, probably by Gemini CLI, last seen 3 Nov` for a session that exists only in the archive; null if it is still in its Gemini
 * folder.
 */
export function describeDeleted(
  { deletedSeen, deletedBy, files }: Pick<SessionSummary, 'deletedSeen' | 'deletedBy' | 'files'>,
  now: Date,
): string | null {
  if (deletedSeen === null) return null
  const from = addedFrom({ files })
  if (from !== null) return `Added from the file ${from}, ${formatDate(deletedSeen, now)}`
  const by = deletedBy === null ? '' : ', probably by Gemini CLI'
  return `Deleted${by}, last seen ${formatDate(deletedSeen, now)}`
}

const SOURCES: Record<Project['pathSource'], string> = {
  marker: 'from Gemini CLI’s marker file',
  registry: 'from Gemini CLI’s list of projects',
  hash: 'found by the folder’s hash',
  content: 'from the sessions themselves',
  user: 'given by you',
  none: 'path unknown',
}

const EVIDENCE: Record<PathEvidence, string> = {
  marker: 'Gemini CLI’s marker file',
  registry: 'Gemini CLI’s list of projects',
  hash: 'a folder known from another project or home',
  'trusted-folder': 'Gemini CLI’s list of trusted folders',
  directories: 'the workspace folders of its sessions',
  'session-context': 'the context at the start of its sessions',
  'tool-arguments': 'paths in tool calls',
  'git-root': 'the repository around paths in tool calls',
  search: 'looking for it on this computer',
  user: 'your own word',
}

/** How a project's path is known. */
export function pathSourceText(source: Project['pathSource']): string {
  return SOURCES[source]
}

/** The evidence for a path, as worded after "from". */
export function pathEvidenceText(evidence: PathEvidence): string {
  return EVIDENCE[evidence]
}

/** Struck through on the page. Compacted or replaced messages are not: the CLI only dropped them from the context. */
export function isTakenBack(superseded: Message['superseded']): boolean {
  return superseded === 'rewound' || superseded === 'aborted'
}

/** Turns that the CLI dropped because a request failed do not count as undone by the user. */
export function isTurnTakenBack({ superseded, failure }: Pick<Turn, 'superseded' | 'failure'>): boolean {
  return failure === null && isTakenBack(superseded)
}

/** The id of a message's element (or of a part of it: `call-0`, `thought-2`) and the hash of its link. */
export function messageAnchor(messageKey: string, part: string | null = null): string {
  return part === null ? `m-${messageKey}` : `m-${messageKey}~${part}`
}

type Times = Pick<SessionSummary, 'startTime' | 'endTime'>

/** From the start of a session to its last record; null if a time is missing. */
export function sessionLengthMs({ startTime, endTime }: Times): number | null {
  if (startTime === null || endTime === null) return null
  return Math.max(Date.parse(endTime) - Date.parse(startTime), 0)
}

type KeptFigures = Pick<KeepStatus, 'sessions' | 'rawBytes' | 'storedBytes' | 'goneBytes' | 'running'>

/** What is stored where, and how to undo it: two lines shown before anything is archived. */
export function keepLines(folder: string): [string, string] {
  return [
    `Compressed copies of all session files, in ${folder}, readable only by you. Gemini CLI’s files aren’t changed.`,
    'To move it, copy the parent folder. Turning it off in Settings, Storage keeps what’s there.',
  ]
}

/** `39 sessions, 19.2 MB stored as 6.1 MB` */
export function describeKept({ sessions, rawBytes, storedBytes, goneBytes }: KeptFigures): string {
  return `${formatPlural(sessions, 'session')}, ${formatSize(rawBytes)} stored as ${formatSize(storedBytes - goneBytes)}`
}

/** Progress of a scan. */
export function describeLook({ running }: KeptFigures): string {
  if (running?.waiting) return 'Another gemini-dash is archiving. This one continues when it’s done.'
  if (running === null || running.total === 0) return 'Scanning for changes…'
  return `Archiving ${formatCount(running.done)} of ${formatPlural(running.total, 'changed file')}…`
}

/** All failures of any kind: the value of the column "Failed". */
export function countFailed({ tools, refused, unanswered }: SessionFailures): number {
  return tools + refused + unanswered
}

/** `3 tool calls`, `1 refused request`, `1 prompt without answer`; kinds with none are left out. */
export function describeFailures({ tools, refused, unanswered }: SessionFailures): string[] {
  return [
    tools > 0 && formatPlural(tools, 'tool call'),
    refused > 0 && formatPlural(refused, 'refused request'),
    unanswered > 0 && formatPlural(unanswered, 'prompt without answer', 'prompts without answer'),
  ].filter((text) => text !== false)
}

/** A session's own share of its figures, without sub-agents, in words for tooltips. */
export interface OwnShare {
  toolCalls: string
  failures: string
  tokens: string
  cost: string
}

type Session = Pick<SessionSummary, 'subagentKeys' | 'usage' | 'cost' | 'recorded' | 'failures'>

/** null if it started no sub-agents, so that all figures are its own. */
export function ownShare({ subagentKeys, usage, cost, recorded, failures }: Session): OwnShare | null {
  if (subagentKeys.length === 0) return null
  const failed = failures === null ? null : failures.tools + failures.refused + failures.unanswered
  return {
    toolCalls: ownWords(formatCount(recorded?.toolCalls)),
    failures: ownWords(formatCount(failed)),
    tokens: ownWords(formatCount(usage?.total)),
    cost: ownWords(cost?.usd == null ? '-' : formatExactUsd(cost.usd)),
  }
}

/** Wording of a session's own share in a figure that includes sub-agents. */
export function ownWords(own: string): string {
  return `of which own: ${own}`
}

/** `$0.680727 at list price, of which own: …`; unchanged if there is nothing to add. */
export function withOwn(title: string | undefined, own: string | undefined): string | undefined {
  return title === undefined || title === '' ? own : own === undefined ? title : `${title}, ${own}`
}
