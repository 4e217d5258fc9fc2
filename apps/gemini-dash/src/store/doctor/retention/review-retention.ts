import type { Doctor } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import type { GeminiHome } from 'gemini-sessions/node'
import type { ExaminedSession } from '../facts/examined-session.ts'
import { toSessionLink } from '../facts/examined-session.ts'
import { type CleanedFile, cleanedFiles } from './cleaned-files.ts'
import { type RetentionRule, retentionRule } from './retention-rule.ts'

type AtRisk = Doctor['retention']['atRisk'][number]

type Expiring = Doctor['retention']['expiring'][number]

const DAY_MS = 24 * 60 * 60 * 1000
/** Sessions that go within this time are named. */
const WARNING_DAYS = 7
/** The last of the year 9999: an age may be set to a million days. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31)

/** What the CLI will delete by itself, by the settings of each home. Where several homes differ, the strictest is told. */
export function reviewRetention(
  homes: readonly GeminiHome[],
  sessions: readonly ExaminedSession[],
  nowMs: number,
): Doctor['retention'] {
  const rules = findRules(homes)
  if (rules.size === 0) return { enabled: false, maxAgeDays: null, expiring: [], atRisk: [] }
  const files = cleanedFiles(sessions, rules)
  return {
    enabled: true,
    maxAgeDays: Math.min(...[...rules.values()].map((rule) => rule.maxAgeDays)),
    expiring: findExpiring(files, nowMs),
    atRisk: findAtRisk(files),
  }
}

/** When each session goes, by key, in ms: a time in the past where the next start of the CLI deletes it. What stays has no entry. */
export function findDeletions(
  homes: readonly GeminiHome[],
  sessions: readonly ExaminedSession[],
): ReadonlyMap<string, number> {
  return deletionsBy(findRules(homes), sessions)
}

/**
 * The same of one session that shares its id with no other: in ms, null where it stays. undefined: that depends on the others, as only
 * so many are kept.
 */
export function findDeletionAlone(
  homes: readonly GeminiHome[],
  session: ExaminedSession,
): number | null | undefined {
  const rules = findRules(homes)
  if ([...rules.values()].some(({ maxCount }) => maxCount !== null)) return undefined
  return deletionsBy(rules, [session]).get(session.summary.key) ?? null
}

function deletionsBy(
  rules: ReadonlyMap<string, RetentionRule>,
  sessions: readonly ExaminedSession[],
): ReadonlyMap<string, number> {
  const files = cleanedFiles(sessions, rules)
  const found = new Map([...findDue(files)].map(([key, { dueMs }]) => [key, dueMs]))
  const atRisk = new Set(findAtRisk(files).map(({ sessionKey }) => sessionKey))
  for (const file of files) {
    const { key } = file.session.summary
    // due ever since it was written, which is a time that stays the same
    if (atRisk.has(key)) found.set(key, file.lastMs || 0)
  }
  return found
}

function findRules(homes: readonly GeminiHome[]): ReadonlyMap<string, RetentionRule> {
  const ruled = homes.map((home) => [home.path, retentionRule(home)] as const)
  return new Map(ruled.flatMap(([path, rule]) => (rule === null ? [] : [[path, rule] as const])))
}

/** Main sessions that the CLI deletes within a week; the next first. */
function findExpiring(files: readonly CleanedFile[], nowMs: number): Expiring[] {
  const lastWarnedMs = nowMs + WARNING_DAYS * DAY_MS
  return [...findDue(files).values()]
    .filter(({ dueMs }) => dueMs <= lastWarnedMs)
    .sort((a, b) => a.dueMs - b.dueMs)
    .map(({ session, dueMs }) => ({
      ...toSessionLink(session),
      deletedAfter: new Date(dueMs).toISOString(),
    }))
}

/** Main sessions with the time after which they go, by age; those that are too many are due since they were written. */
function findDue(files: readonly CleanedFile[]): Map<string, { session: ExaminedSession; dueMs: number }> {
  const found = new Map<string, { session: ExaminedSession; dueMs: number }>()
  for (const ofFolder of groupBy(files.filter(isExpected), ({ folder }) => folder).values()) {
    const newestFirst = ofFolder.map((file) => ({ file, ms: file.lastMs })).sort((a, b) => b.ms - a.ms)
    for (const [index, { file, ms }] of newestFirst.entries()) {
      const { session, rule } = file
      const isTooMany = rule.maxCount !== null && index >= rule.maxCount
      const dueMs = Math.min(ms + (isTooMany ? 0 : rule.maxAgeDays * DAY_MS), LAST_TIME_MS)
      const { key } = session.summary
      if (dueMs < (found.get(key)?.dueMs ?? Number.POSITIVE_INFINITY)) found.set(key, { session, dueMs })
    }
  }
  return found
}

function isExpected(file: CleanedFile): boolean {
  const { kind, counts } = file.session.summary
  return kind === 'main' && counts?.messages !== 0 && !Number.isNaN(file.lastMs)
}

/**
 * Conversations that the clean-up deletes at the next start whatever their age: it takes a file for unusable (nothing
 * said in it, damaged, or rewound to nothing) and deletes every file of the folder whose name ends alike. A resume
 * leaves such a file beside a healthy session (0.39 to 0.61).
 */
function findAtRisk(files: readonly CleanedFile[]): AtRisk[] {
  const found = new Map<string, AtRisk>()
  for (const alike of groupBy(files, ({ alike }) => alike).values()) {
    const unusable = alike.find(isUnusable)
    if (unusable === undefined) continue
    for (const { session, file } of alike) {
      const link = toSessionLink(session)
      const isWorthKeeping = (session.summary.counts?.messages ?? 0) > 0 && file.role !== 'stub'
      if (!isWorthKeeping || found.has(link.sessionKey)) continue
      const path = `${unusable.file.home}/${unusable.file.path}`
      found.set(link.sessionKey, { ...link, path, reason: reasonOf(unusable) })
    }
  }
  return [...found.values()]
}

function isUnusable({ session: { summary }, file }: CleanedFile): boolean {
  if (file.role === 'stub' || file.role === 'damaged') return true
  return summary.buried || summary.kind === 'subagent'
}

function reasonOf({ session: { summary }, file }: CleanedFile): string {
  if (file.role === 'stub')
    return 'A resume left a file without a conversation, and the CLI deletes every file of that id with it.'
  if (file.role === 'damaged')
    return 'A file of it is damaged, and the CLI deletes every file of that id with it.'
  if (summary.buried)
    return 'For the CLI nothing is left of this conversation, so it deletes the file; the log still holds it.'
  return 'A sub-agent’s file lies beside it under the same id, and the CLI deletes both.'
}
