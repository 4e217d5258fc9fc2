import type { Doctor } from '@gemini-dash/api'
import { groupBy } from '../facts/group-by.ts'
import { toSessionLink } from '../facts/to-session-link.ts'
import type { CleanedFile } from './cleaned-files.ts'

type Expiring = Doctor['retention']['expiring'][number]

const DAY_MS = 24 * 60 * 60 * 1000
/** Sessions that go within this time are named. */
const WARNING_DAYS = 7

/** Main sessions that the CLI deletes within a week, by age or because there are too many; the next first. */
export function findExpiring(files: readonly CleanedFile[], nowMs: number): Expiring[] {
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
