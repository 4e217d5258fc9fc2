import type { Doctor } from '@gemini-dash/api'
import { readSessionPath } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import type { ExaminedSession } from '../facts/examined-session.ts'
import { toSessionLink } from '../facts/examined-session.ts'
import { type CleanedFile, type PlannedDeletion, planCleanUp, planPastCleanUp } from './plan-clean-up.ts'
import { cleanUpOf, type RetentionRule } from './retention-rule.ts'

type AtRisk = Doctor['retention']['atRisk'][number]

type Expiring = Doctor['retention']['expiring'][number]

const DAY_MS = 24 * 60 * 60 * 1000
/** Sessions that go within this time are named. */
const WARNING_DAYS = 7

/** What Gemini CLI will delete by itself, by the settings of each home. Where several homes differ, the strictest one applies. */
export function reviewRetention(
  homes: readonly GeminiHome[],
  sessions: readonly ExaminedSession[],
  nowMs: number,
): Doctor['retention'] {
  const rules = findRules(homes)
  // without conversations there is nothing to lose
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
 * Sessions that are gone, and that the clean-up would have taken by then: by what the settings say now, as nothing tells who
 * deleted a file.
 */
export function findCleanedUp(
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

/**
 * When a session goes that shares its id with no other: in ms, null where it stays. undefined: that depends on the others, as only
 * so many are kept, or as a sub-agent goes with its parent.
 */
export function findDeletionAlone(
  homes: readonly GeminiHome[],
  session: ExaminedSession,
): number | null | undefined {
  const rules = findRules(homes)
  if (session.summary.kind === 'subagent') return undefined
  if ([...rules.values()].some(({ maxCount }) => maxCount !== null)) return undefined
  const [first] = firstOfEach(planCleanUp([session], rules))
  return first?.dueMs ?? null
}

/** By the path of the home; one that is not among them deletes nothing by itself. */
export function findRules(homes: readonly GeminiHome[]): ReadonlyMap<string, RetentionRule> {
  const ruled = homes.map((home) => [home.path, cleanUpOf(home).rule] as const)
  return new Map(ruled.flatMap(([path, rule]) => (rule === null ? [] : [[path, rule] as const])))
}

/** Of each session the first time at which a file goes that holds something of it. */
export function firstOfEach(planned: readonly PlannedDeletion[]): PlannedDeletion[] {
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

/** What a session was moved or migrated from: where it goes, the session stays in the folder in which the CLI looks for it. */
function isCopyElsewhere({ files }: ExaminedSession['summary'], file: CleanedFile['file']): boolean {
  const current = files.find(({ role }) => role === 'current')
  if (file.role !== 'copy' || current?.home !== file.home || current.kept !== undefined) return false
  return readSessionPath(current.path).projectFolder !== readSessionPath(file.path).projectFolder
}

/** Main sessions that go by age or number within a week. */
function asExpiring({ cleaned: { session }, cause, dueMs }: PlannedDeletion, nowMs: number): Expiring[] {
  const { kind, counts } = session.summary
  const isExpected = kind === 'main' && counts?.messages !== 0 && dueMs <= nowMs + WARNING_DAYS * DAY_MS
  if (cause === 'unusable' || !isExpected) return []
  return [{ ...toSessionLink(session), deletedAfter: new Date(dueMs).toISOString(), cause }]
}

const byTime = (one: Expiring, other: Expiring) =>
  Date.parse(one.deletedAfter) - Date.parse(other.deletedAfter)

/**
 * Conversations that go at the next start whatever their age: the clean-up takes a file for unusable and deletes every
 * file of the folder whose name ends alike. A resume leaves such a file beside a healthy session (0.39 to 0.61).
 */
function asAtRisk({ cleaned: { session }, cause, because }: PlannedDeletion): AtRisk[] {
  if (cause !== 'unusable' || (session.summary.counts?.messages ?? 0) === 0) return []
  const path = `${because.file.home}/${because.file.path}`
  const isOwn = because.session.summary.key === session.summary.key
  return [{ ...toSessionLink(session), path, reason: isOwn ? reasonOf(because) : reasonBeside(because) }]
}

function reasonOf({ session: { summary }, file }: CleanedFile): string {
  if (file.role === 'stub')
    return 'A resume left a file without a conversation, and Gemini CLI deletes every file of that id with it.'
  if (file.role === 'damaged')
    return 'A file of it is damaged, and Gemini CLI deletes every file of that id with it.'
  if (summary.buried)
    return 'For Gemini CLI nothing is left of this conversation, so it deletes the file; the log still holds it.'
  if (summary.kind === 'subagent')
    return 'It is a sub-agent’s file beside the sessions of the project, and Gemini CLI deletes such files.'
  return 'Nobody talked to the model in it, only commands or notices are there, so Gemini CLI deletes the file.'
}

/** Another session is why: its file's name ends in the same eight characters. */
function reasonBeside({ session: { summary }, file }: CleanedFile): string {
  if (summary.kind === 'subagent')
    return 'A sub-agent’s file is beside it under the same id, and Gemini CLI deletes both.'
  if (file.role === 'damaged')
    return 'A file beside it is damaged, and Gemini CLI deletes every file whose name ends in the same id.'
  return 'A file beside it has no conversation to resume, and Gemini CLI deletes every file whose name ends in the same id.'
}
