import type { Doctor } from '@gemini-dash/api'
import type { GeminiHome, ProjectIdentity, Scan } from 'gemini-sessions/node'
import { countUnread } from '../catalog/unread-book.ts'
import type { ExaminedSession } from './facts/examined-session.ts'
import { isPartlyRead } from './facts/is-partly-read.ts'
import { groupDrift } from './group-drift.ts'
import { groupIssues } from './group-issues.ts'
import { listCopies } from './list-copies.ts'
import { listHomes } from './list-homes.ts'
import { listSkipped } from './list-skipped.ts'
import { reviewRetention } from './retention/review-retention.ts'

export interface DoctorSources {
  homes: GeminiHome[]
  scan: Scan
  projects: readonly ProjectIdentity[]
  sessions: ExaminedSession[]
  cache: Doctor['cache']
  warnings: Doctor['warnings']
  isComplete: boolean
  nowMs: number
  /** Absolute paths that cannot be read just now, with the code of the system. */
  unread?: ReadonlyMap<string, string>
}

/** Copies named one by one. */
const MOST_COPIES = 1_000

/** What was found, what was skipped and why, and what no known version of the CLI writes. */
export function buildDoctor({
  homes,
  scan,
  projects,
  sessions,
  cache,
  warnings,
  isComplete,
  nowMs,
  unread = new Map(),
}: DoctorSources): Doctor {
  const skipped = listSkipped(scan, sessions, unread)
  const issues = groupIssues(sessions)
  const drift = groupDrift(sessions)
  const copies = listCopies(sessions)
  return {
    isComplete,
    isWell:
      issues.length === 0 && drift.length === 0 && !skipped.some(({ needsAttention }) => needsAttention),
    warnings,
    homes: listHomes(homes, scan),
    files: {
      found: scan.files.length,
      sessions: sessions.filter(({ summary }) => summary.kind === 'main' || summary.kind === 'subagent')
        .length,
      partlyRead: sessions.filter(isPartlyRead).length,
      skipped,
    },
    issues,
    drift,
    duplicates: copies.length,
    copies: copies.slice(0, MOST_COPIES),
    retention: reviewRetention(homes, sessions, nowMs),
    unclearProjects: projects.flatMap(({ key, name, path, folders }) =>
      path === null ? [{ key, name, folders }] : [],
    ),
    cache,
    ...(unread.size > 0 && { unread: countUnread(unread) }),
  }
}
