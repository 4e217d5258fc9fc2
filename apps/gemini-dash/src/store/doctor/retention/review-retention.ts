import type { Doctor } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import type { GeminiHome } from 'gemini-sessions/node'
import type { ExaminedSession } from '../facts/examined-session.ts'
import { toSessionLink } from '../facts/to-session-link.ts'
import { type CleanedFile, cleanedFiles } from './cleaned-files.ts'
import { findAtRisk } from './find-at-risk.ts'
import { retentionRule } from './retention-rule.ts'

type Expiring = Doctor['retention']['expiring'][number]

const DAY_MS = 24 * 60 * 60 * 1000
/** Sessions that go within this time are named. */
const WARNING_DAYS = 7

/** What the CLI will delete by itself, by the settings of each home. Where several homes differ, the strictest is told. */
export function reviewRetention(
  homes: readonly GeminiHome[],
  sessions: readonly ExaminedSession[],
  nowMs: number,
): Doctor['retention'] {
  const ruled = homes.map((home) => [home.path, retentionRule(home)] as const)
  const rules = new Map(ruled.flatMap(([path, rule]) => (rule === null ? [] : [[path, rule] as const])))
  if (rules.size === 0) return { enabled: false, maxAgeDays: null, expiring: [], atRisk: [] }
  const files = cleanedFiles(sessions, rules)
  return {
    enabled: true,
    maxAgeDays: Math.min(...[...rules.values()].map((rule) => rule.maxAgeDays)),
    expiring: findExpiring(files, nowMs),
    atRisk: findAtRisk(files),
  }
}

/** Main sessions that the CLI deletes within a week, by age or because there are too many; the next first. */
function findExpiring(files: readonly CleanedFile[], nowMs: number): Expiring[] {
  const found = new Map<string, Expiring>()
  for (const ofFolder of groupBy(files.filter(isExpected), ({ folder }) => folder).values()) {
    const newestFirst = [...ofFolder].sort((a, b) => lastMs(b) - lastMs(a))
    for (const [index, file] of newestFirst.entries()) {
      const { maxAgeDays, maxCount } = file.rule
      const isTooMany = maxCount !== null && index >= maxCount
      const deletedAfterMs = isTooMany ? nowMs : lastMs(file) + maxAgeDays * DAY_MS
      if (deletedAfterMs > nowMs + WARNING_DAYS * DAY_MS) continue
      const link = toSessionLink(file.session)
      const deletedAfter = new Date(deletedAfterMs).toISOString()
      if ((found.get(link.sessionKey)?.deletedAfter ?? '~') > deletedAfter) {
        found.set(link.sessionKey, { ...link, deletedAfter })
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.deletedAfter < b.deletedAfter ? -1 : 1))
}

function isExpected(file: CleanedFile): boolean {
  const { kind, counts } = file.session.summary
  return kind === 'main' && counts?.messages !== 0 && !Number.isNaN(lastMs(file))
}

function lastMs({ session: { summary } }: CleanedFile): number {
  return Date.parse(summary.lastUpdated ?? summary.endTime ?? '')
}
