import { groupBy } from '@gemini-dash/api/group-by'
import type { SessionFile, SessionSummary } from 'gemini-sessions'
import type { ExaminedSession } from '../facts/examined-session.ts'
import type { RetentionRule } from './retention-rule.ts'

/** A file that the clean-up of the CLI looks at, with the rule that it follows. */
export interface CleanedFile {
  session: ExaminedSession
  file: SessionFile
  rule: RetentionRule
  /** Home and `chats/` folder: each is cleaned by itself. */
  folder: string
  /** The eight characters that its name ends in, with which the clean-up deletes all of the folder; of another name, all of it. */
  suffix: string
  /** When the file was written last, as it says; Infinity where it names no time: it never grows too old. */
  lastMs: number
}

/** unusable: there is nothing in it for the CLI to go on with, whatever its age; count: newer ones are as many as are kept. */
export type DeletionCause = 'unusable' | 'age' | 'count'

/** When the clean-up deletes a file, and which file is why: itself, or one whose name ends alike. */
export interface PlannedDeletion {
  cleaned: CleanedFile
  /** In ms; a time in the past where the next start of the CLI deletes it. */
  dueMs: number
  because: CleanedFile
  cause: DeletionCause
}

const SESSION_FILE = /^([^/]+\/([^/]+)\/chats)\/(session-[^/]*\.jsonl?)$/
const SHORT_ID = /-([a-zA-Z0-9]{8})\.jsonl?$/
const HASH = /^[0-9a-f]{64}$/
const DAY_MS = 24 * 60 * 60 * 1000
/** The last of the year 9999: an age may be set to a million days. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31)

/**
 * What the clean-up of Gemini CLI (0.61.0; docs/decisions/clean-up.md) does to the files of these sessions: it goes file by file and
 * folder by folder, and knows nothing of what belongs together but the ends of names. What stays for ever is not in it.
 */
export function planCleanUp(
  sessions: readonly ExaminedSession[],
  rules: ReadonlyMap<string, RetentionRule>,
): PlannedDeletion[] {
  return planFiles(cleanedFiles(sessions, rules).filter(({ file }) => file.kept === undefined))
}

/** What it did, or would have done: the same with the files that are gone, as they were. */
export function planPastCleanUp(...asked: Parameters<typeof planCleanUp>): PlannedDeletion[] {
  return planFiles(cleanedFiles(...asked).filter(({ file }) => file.kept?.cause !== 'overwritten'))
}

function planFiles(files: readonly CleanedFile[]): PlannedDeletion[] {
  return [...groupBy(files, ({ folder }) => folder).values()].flatMap(planFolder)
}

type Place = Pick<CleanedFile, 'file' | 'folder' | 'suffix' | 'lastMs'> & { isOfHash: boolean }

/** What a row says of its files: one that has not changed says the same. */
const places = new WeakMap<SessionSummary, readonly Place[]>()

/** Files directly in a project's `chats/` of homes whose CLI cleans up. Hash folders belong to versions that do so only if told. */
function cleanedFiles(
  sessions: readonly ExaminedSession[],
  rules: ReadonlyMap<string, RetentionRule>,
): CleanedFile[] {
  const found: CleanedFile[] = []
  for (const session of sessions) {
    for (const { isOfHash, file, folder, suffix, lastMs } of placesOf(session.summary)) {
      const rule = rules.get(file.home)
      if (rule === undefined || (isOfHash && !rule.isExplicit)) continue
      found.push({ session, file, rule, folder, suffix, lastMs })
    }
  }
  return found
}

/** Where its files lie that the clean-up looks at, each folder once. */
export function cleanedFolders(summary: SessionSummary): string[] {
  return [...new Set(placesOf(summary).map(({ folder }) => folder))]
}

function placesOf(summary: SessionSummary): readonly Place[] {
  const known = places.get(summary)
  if (known !== undefined) return known
  const read = summary.files.flatMap((file) => {
    const [, folder, projectFolder, name] = SESSION_FILE.exec(file.path) ?? []
    if (folder === undefined || projectFolder === undefined || name === undefined) return []
    const suffix = SHORT_ID.exec(name)?.[1] ?? name
    const isOfHash = HASH.test(projectFolder)
    return [{ file, folder: `${file.home}/${folder}`, suffix, lastMs: lastMsOf(summary, file), isOfHash }]
  })
  places.set(summary, read)
  return read
}

function lastMsOf({ lastUpdated, endTime }: SessionSummary, file: SessionFile): number {
  const time = file.lastUpdated === undefined ? (lastUpdated ?? endTime) : file.lastUpdated
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms
}

function planFolder(files: readonly CleanedFile[]): PlannedDeletion[] {
  const byEnd = groupBy(planEach(files), ({ cleaned }) => cleaned.suffix)
  return [...groupBy(files, ({ suffix }) => suffix)].flatMap(([suffix, alike]) => {
    const first = byEnd.get(suffix)?.reduce((one, other) => (other.dueMs < one.dueMs ? other : one))
    return first === undefined ? [] : alike.map((cleaned) => ({ ...first, cleaned }))
  })
}

/** Each file as if it stood alone. */
function planEach(files: readonly CleanedFile[]): PlannedDeletion[] {
  const usable = files.filter((file) => !isUnusable(file)).map((file) => ({ file, ms: file.lastMs }))
  const newestFirst = usable.sort((a, b) => (a.ms === b.ms ? byPath(a.file, b.file) : b.ms - a.ms))
  const planned = newestFirst.map(({ file, ms }, index) => {
    const { maxAgeDays, maxCount } = file.rule
    // due ever since it was written, which is a time that stays the same
    if (maxCount !== null && index >= maxCount) return plan(file, 'count', ms)
    return plan(file, 'age', maxAgeDays === null ? Number.POSITIVE_INFINITY : ms + maxAgeDays * DAY_MS)
  })
  const unusable = files.filter(isUnusable).map((file) => plan(file, 'unusable', file.lastMs))
  return [
    ...unusable,
    ...planned.filter(({ dueMs, cause }) => cause !== 'age' || dueMs < Number.POSITIVE_INFINITY),
  ]
}

/** Of two that were written at the same time, so that it does not matter in which order they were found. */
function byPath({ file: a }: CleanedFile, { file: b }: CleanedFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

function plan(cleaned: CleanedFile, cause: DeletionCause, dueMs: number): PlannedDeletion {
  const isPast = cause !== 'age' && dueMs === Number.POSITIVE_INFINITY
  return {
    cleaned,
    because: cleaned,
    cause,
    dueMs: isPast ? 0 : dueMs > LAST_TIME_MS && Number.isFinite(dueMs) ? LAST_TIME_MS : dueMs,
  }
}

function isUnusable({ session: { summary }, file }: CleanedFile): boolean {
  if (file.role === 'damaged' || file.role === 'stub') return true
  return file.resumable === undefined ? summary.buried || summary.kind === 'subagent' : !file.resumable
}
