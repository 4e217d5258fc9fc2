import type { Doctor } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import { readSessionPath, type SessionFile, type SessionSummary } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import type { Rows } from '../sync/rows.ts'
import { type ExaminedSession, toSessionLink } from './facts.ts'
import { cleanUpOf, type RetentionRule } from './retention-rule.ts'

/** The settings are read again after this time: they change rarely, and without an event. */
const KEPT_MS = 30_000

interface Kept {
  revision: number
  sessions: ReturnType<Rows['sessions']>
  untilMs: number
  /** When the first file with any part of a session is deleted, by key; in ms, in the past if the next start of the CLI deletes it. */
  dueMs: ReadonlyMap<string, number>
  /** Sessions that the CLI has deleted. */
  cleanedUp: ReadonlySet<string>
}

/** Adds to rows about to be sent when the CLI deletes them; computed once for many questions, in 30 ms for ten thousand. */
export class DeletionTimes {
  readonly #rows: Pick<Rows, 'revision' | 'sessions'>
  readonly #homes: () => readonly GeminiHome[]
  #kept: Kept | null = null

  constructor(rows: Pick<Rows, 'revision' | 'sessions'>, homes: () => readonly GeminiHome[]) {
    this.#rows = rows
    this.#homes = homes
  }

  /** Returns the same row if nothing changes. */
  tell(summary: SessionSummary): SessionSummary {
    const { dueMs, sessions, cleanedUp } = this.#now()
    if (summary.deletedSeen !== null)
      return cleanedUp.has(summary.key) ? { ...summary, deletedBy: 'gemini-cli' } : summary
    // the folder of a session's sub-agents is deleted with the session
    let key: string | null = summary.key
    while (key !== null && !dueMs.has(key)) {
      const parentKey: string | null = sessions.get(key)?.summary.parentKey ?? null
      key = parentKey === key ? null : parentKey
    }
    return withTime(summary, key === null ? null : (dueMs.get(key) ?? null))
  }

  tellAll(summaries: readonly SessionSummary[]): SessionSummary[] {
    return summaries.map((summary) => this.tell(summary))
  }

  #now(): Kept {
    const { revision } = this.#rows
    const sessions = this.#rows.sessions()
    // A wall clock that is set back would keep them for longer.
    const nowMs = performance.now()
    const kept = this.#kept
    if (kept?.revision === revision && kept.sessions === sessions && nowMs < kept.untilMs) return kept
    const rules = findRules(this.#homes())
    const all = [...sessions.values()]
    const first = firstOfEach(planCleanUp(all, rules))
    this.#kept = {
      ...{ revision, sessions, untilMs: nowMs + KEPT_MS },
      dueMs: new Map(first.map(({ cleaned, dueMs }) => [cleaned.session.summary.key, dueMs])),
      cleanedUp: findCleanedUp(rules, all),
    }
    return this.#kept
  }
}

function withTime(summary: SessionSummary, dueMs: number | null): SessionSummary {
  const deletedAfter = dueMs === null ? null : new Date(dueMs).toISOString()
  return summary.deletedAfter === deletedAfter ? summary : { ...summary, deletedAfter }
}

/** A file that the CLI's clean-up considers, with the rule that applies. */
interface CleanedFile {
  session: ExaminedSession
  file: SessionFile
  rule: RetentionRule
  /** Home and `chats/` folder: each is cleaned up separately. */
  folder: string
  /**
   * The eight characters at the end of its name, by which the clean-up deletes all matching files of the folder; for other names, the whole
   * name.
   */
  suffix: string
  /** When the file was last written, by its own timestamps; Infinity without any: then it never expires. */
  lastMs: number
}

/** unusable: contains nothing that the CLI could continue, whatever its age; count: there are as many newer files as are kept. */
type DeletionCause = 'unusable' | 'age' | 'count'

/** When the clean-up deletes a file, and which file causes it: itself, or one whose name has the same ending. */
interface PlannedDeletion {
  cleaned: CleanedFile
  /** In ms; in the past if the next start of the CLI deletes it. */
  dueMs: number
  because: CleanedFile
  cause: DeletionCause
}

const SESSION_FILE = /^([^/]+\/([^/]+)\/chats)\/(session-[^/]*\.jsonl?)$/
const SHORT_ID = /-([a-zA-Z0-9]{8})\.jsonl?$/
const HASH = /^[0-9a-f]{64}$/
const DAY_MS = 24 * 60 * 60 * 1000
/** The end of the year 9999: an age may be set to a million days. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31)

/**
 * What the clean-up of Gemini CLI (0.61.0; docs/decisions/gone-is-not-lost.md) does to the files of these sessions: it proceeds file by
 * file and folder by folder, and relates files only by the ends of their names. Files that stay forever are left out.
 */
function planCleanUp(
  sessions: readonly ExaminedSession[],
  rules: ReadonlyMap<string, RetentionRule>,
): PlannedDeletion[] {
  return planFiles(cleanedFiles(sessions, rules).filter(({ file }) => file.kept === undefined))
}

/** What it has done, or would have: the same including the files that are gone, in their last state. */
function planPastCleanUp(...asked: Parameters<typeof planCleanUp>): PlannedDeletion[] {
  return planFiles(
    cleanedFiles(...asked).filter(({ file: { kept } }) => kept === undefined || kept.cause === 'deleted'),
  )
}

function planFiles(files: readonly CleanedFile[]): PlannedDeletion[] {
  return [...groupBy(files, ({ folder }) => folder).values()].flatMap(planFolder)
}

type Place = Pick<CleanedFile, 'file' | 'folder' | 'suffix' | 'lastMs'> & { isOfHash: boolean }

/** Files directly in a project's `chats/` of homes whose CLI cleans up. Hash folders belong to versions that do so only if configured. */
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

function placesOf(summary: SessionSummary): readonly Place[] {
  return summary.files.flatMap((file) => {
    const [, folder, projectFolder, name] = SESSION_FILE.exec(file.path) ?? []
    if (folder === undefined || projectFolder === undefined || name === undefined) return []
    const suffix = SHORT_ID.exec(name)?.[1] ?? name
    const isOfHash = HASH.test(projectFolder)
    return [{ file, folder: `${file.home}/${folder}`, suffix, lastMs: lastMsOf(summary, file), isOfHash }]
  })
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

/** Plans each file independently of the others. */
function planEach(files: readonly CleanedFile[]): PlannedDeletion[] {
  const usable = files.filter((file) => !isUnusable(file)).map((file) => ({ file, ms: file.lastMs }))
  const newestFirst = usable.sort((a, b) => (a.ms === b.ms ? byPath(a.file, b.file) : b.ms - a.ms))
  const planned = newestFirst.map(({ file, ms }, index) => {
    const { maxAgeDays, maxCount } = file.rule
    // due since it was written, which gives a stable time
    if (maxCount !== null && index >= maxCount) return plan(file, 'count', ms)
    return plan(file, 'age', maxAgeDays === null ? Number.POSITIVE_INFINITY : ms + maxAgeDays * DAY_MS)
  })
  const unusable = files.filter(isUnusable).map((file) => plan(file, 'unusable', file.lastMs))
  return [
    ...unusable,
    ...planned.filter(({ dueMs, cause }) => cause !== 'age' || dueMs < Number.POSITIVE_INFINITY),
  ]
}

/** A stable order for files written at the same time. */
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
  if (file.resumable !== undefined) return !file.resumable
  return file.role === 'damaged' || file.role === 'stub' || summary.buried || summary.kind === 'subagent'
}

type AtRisk = Doctor['retention']['atRisk'][number]

type Expiring = Doctor['retention']['expiring'][number]
/** Sessions that will be deleted within this time are listed. */
const WARNING_DAYS = 7

/** What Gemini CLI will delete by itself, by the settings of each home. If several homes differ, the strictest applies. */
export function reviewRetention(
  homes: readonly GeminiHome[],
  sessions: readonly ExaminedSession[],
  nowMs: number,
): Doctor['retention'] {
  const rules = findRules(homes)
  // without messages there is nothing to lose
  const deletions = firstOfEach(planCleanUp(sessions, rules)).filter(
    ({ cleaned }) => !cleaned.session.summary.empty,
  )
  return {
    enabled: rules.size > 0,
    maxAgeDays: strictest(rules, 'maxAgeDays'),
    maxCount: strictest(rules, 'maxCount'),
    problems: listProblems(homes),
    expiring: deletions.flatMap((deletion) => asExpiring(deletion, nowMs)).sort(byTime),
    atRisk: deletions.flatMap(asAtRisk),
  }
}

/** Two homes can have the same settings. */
function listProblems(homes: readonly GeminiHome[]): Doctor['retention']['problems'] {
  const found = homes.flatMap((home) => cleanUpOf(home).problems)
  return [...new Map(found.map((problem) => [`${problem.path} ${problem.setting}`, problem])).values()]
}

/** null: none of them sets a limit. */
function strictest(
  rules: ReadonlyMap<string, RetentionRule>,
  limit: 'maxAgeDays' | 'maxCount',
): number | null {
  const set = [...rules.values()].flatMap((rule) => rule[limit] ?? [])
  return set.length === 0 ? null : Math.min(...set)
}

/**
 * Sessions that are gone and that the clean-up would have deleted by then: by the current settings, as nothing records who deleted a file.
 */
function findCleanedUp(
  rules: ReadonlyMap<string, RetentionRule>,
  sessions: readonly ExaminedSession[],
): ReadonlySet<string> {
  if (sessions.every(({ summary }) => summary.deletedSeen === null)) return new Set()
  const taken = planPastCleanUp(sessions, rules).flatMap(({ cleaned, dueMs }) => {
    const { kept } = cleaned.file
    return kept !== undefined && dueMs <= Date.parse(kept.missed) ? [cleaned.session.summary] : []
  })
  const keys = new Set(taken.map(({ key }) => key))
  const withParent = sessions.filter(({ summary }) => keys.has(summary.parentKey ?? ''))
  return new Set([...keys, ...withParent.map(({ summary }) => summary.key)])
}

/** By the path of the home; homes that are not included delete nothing by themselves. */
function findRules(homes: readonly GeminiHome[]): ReadonlyMap<string, RetentionRule> {
  const ruled = homes.map((home) => [home.path, cleanUpOf(home).rule] as const)
  return new Map(ruled.flatMap(([path, rule]) => (rule === null ? [] : [[path, rule] as const])))
}

/** For each session, the first deletion of a file with any part of it. */
function firstOfEach(planned: readonly PlannedDeletion[]): PlannedDeletion[] {
  const first = new Map<string, PlannedDeletion>()
  for (const deletion of planned) {
    const { session, file } = deletion.cleaned
    const { key, files } = session.summary
    const holdsNothing = file.role === 'stub' && files.some(({ role }) => role !== 'stub')
    if (
      holdsNothing ||
      isCopyElsewhere(session.summary, file) ||
      deletion.dueMs >= (first.get(key)?.dueMs ?? Number.POSITIVE_INFINITY)
    )
      continue
    first.set(key, deletion)
  }
  return [...first.values()]
}

/** A file from which a session was moved or migrated: when it is deleted, the session stays in the folder in which the CLI looks for it. */
function isCopyElsewhere(summary: ExaminedSession['summary'], file: CleanedFile['file']): boolean {
  // Until it is read in full, the roles of its files are a guess.
  if (summary.indexed !== 'full') return false
  const current = summary.files.find(({ role }) => role === 'current')
  if (file.role !== 'copy' || current?.home !== file.home || current.kept !== undefined) return false
  return readSessionPath(current.path).projectFolder !== readSessionPath(file.path).projectFolder
}

/** Main sessions that will be deleted by age or count within a week. */
function asExpiring({ cleaned: { session }, cause, dueMs }: PlannedDeletion, nowMs: number): Expiring[] {
  const { kind, counts } = session.summary
  const isExpected = kind === 'main' && counts?.messages !== 0 && dueMs <= nowMs + WARNING_DAYS * DAY_MS
  if (cause === 'unusable' || !isExpected) return []
  return [{ ...toSessionLink(session), deletedAfter: new Date(dueMs).toISOString(), cause }]
}

const byTime = (one: Expiring, other: Expiring) =>
  Date.parse(one.deletedAfter) - Date.parse(other.deletedAfter)

/**
 * Conversations that will be deleted at the next start whatever their age: the clean-up considers a file unusable and deletes every file of
 * the folder whose name has the same ending. A resume leaves such a file beside a healthy session (0.39 to 0.61).
 */
function asAtRisk({ cleaned: { session }, cause, because }: PlannedDeletion): AtRisk[] {
  if (cause !== 'unusable' || (session.summary.counts?.messages ?? 0) === 0) return []
  const path = `${because.file.home}/${because.file.path}`
  const isOwn = because.session.summary.key === session.summary.key
  return [{ ...toSessionLink(session), path, reason: isOwn ? reasonOf(because) : reasonBeside(because) }]
}

/** Each reason follows from the file; otherwise only the verdict of Gemini CLI is known. */
function reasonOf({ session: { summary, record }, file }: CleanedFile): string {
  if (file.role === 'stub')
    return 'An empty file, as a resume can leave one, makes Gemini CLI delete this session too: it deletes every file with that ID.'
  if (file.role === 'damaged')
    return 'One of its files is damaged, and Gemini CLI deletes every file with that ID.'
  if (summary.kind === 'subagent')
    return 'It is a sub-agent’s file next to the sessions of the project, and Gemini CLI deletes such files.'
  const codes = new Set(record.issues.flatMap((issue) => (issue.file === file.path ? issue.code : [])))
  if (codes.has('utf-16') || codes.has('spread-record'))
    return 'Gemini CLI can’t read this file format, so it treats the file as damaged and deletes it.'
  if (codes.has('no-metadata'))
    return 'The line that names its session is missing, so Gemini CLI treats the file as damaged and deletes it.'
  if (file.role === 'current') {
    if (summary.buried) return 'Gemini CLI treats this session as empty and will delete it.'
    const { answers, toolCalls } = summary.counts ?? { answers: 1, toolCalls: 1 }
    if (answers + toolCalls === 0)
      return 'Gemini CLI finds no answer in it and no prompt but commands, which begin with / or ?, and injected context, so it deletes the file.'
  }
  return 'Gemini CLI finds nothing to resume in one of its files, and deletes every file with that ID.'
}

/** Caused by another session: its file's name ends in the same eight characters. */
function reasonBeside({ session: { summary }, file }: CleanedFile): string {
  if (summary.kind === 'subagent')
    return 'A sub-agent’s file with the same ID is next to it, and Gemini CLI deletes both.'
  if (file.role === 'damaged')
    return 'A file next to it is damaged, and Gemini CLI deletes every file whose name ends in the same ID.'
  return 'Gemini CLI finds nothing to resume in a file next to it, and deletes every file whose name ends in the same ID.'
}
