import type { Doctor } from '@gemini-dash/api'
import type { SessionRecord } from '@gemini-dash/session-index'
import type { ParseIssueCode, SessionSummary } from 'gemini-sessions'
import { type GeminiHome, readSessionRetention, type Scan } from 'gemini-sessions/node'
import { explainIssue } from './explain-issue.ts'

export interface DoctorSources {
  homes: GeminiHome[]
  scan: Scan
  sessions: { summary: SessionSummary; record: SessionRecord }[]
  cache: Doctor['cache']
  nowMs: number
}

const DAY_MS = 24 * 60 * 60 * 1000
/** On by default since 0.33: sessions older than this are deleted at the next start of the CLI. */
const DEFAULT_MAX_AGE_DAYS = 30
/** Sessions that go within this time are named. */
const WARNING_DAYS = 7

/** What was found, what was skipped and why, and what no known version of the CLI writes. */
export function buildDoctor({ homes, scan, sessions, cache, nowMs }: DoctorSources): Doctor {
  const files = sessions.flatMap(({ summary }) => summary.files)
  return {
    homes: homes.map(({ path, exists }) => ({ path, exists })),
    files: {
      found: scan.files.length,
      sessions: sessions.filter(({ summary }) => summary.kind === 'main' || summary.kind === 'subagent')
        .length,
      skipped: [...scan.skipped.map(({ path, reason }) => ({ path, reason })), ...damagedFiles(sessions)],
    },
    issues: countIssues(sessions),
    drift: countDrift(sessions),
    duplicates: files.filter(({ role }) => role === 'copy' || role === 'twin').length,
    retention: retention(homes, sessions, nowMs),
    cache,
  }
}

function damagedFiles(sessions: DoctorSources['sessions']): Doctor['files']['skipped'] {
  return sessions.flatMap(({ summary, record }) =>
    summary.files
      .filter(({ role }) => role === 'damaged')
      .map(({ home, path }) => ({
        path: `${home}/${path}`,
        reason: record.issues[0] === undefined ? 'It could not be read.' : explainIssue(record.issues[0]),
      })),
  )
}

function countIssues(sessions: DoctorSources['sessions']): Doctor['issues'] {
  const counts = new Map<ParseIssueCode, Doctor['issues'][number]>()
  for (const { summary, record } of sessions) {
    for (const { code, at } of record.issues) {
      const known = counts.get(code)
      const example = known?.example ?? { path: summary.files[0]?.path ?? '', at }
      counts.set(code, { code, count: (known?.count ?? 0) + 1, example })
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}

function countDrift(sessions: DoctorSources['sessions']): Doctor['drift'] {
  const counts = new Map<string, Doctor['drift'][number]>()
  for (const { summary, record } of sessions) {
    for (const { where, name, at } of record.drift) {
      const key = `${where}\n${name}`
      const known = counts.get(key)
      const example = known?.example ?? `${summary.files[0]?.path ?? ''}${at === '' ? '' : `, ${at}`}`
      counts.set(key, { where, name, count: (known?.count ?? 0) + 1, example })
    }
  }
  return [...counts.values()].sort(
    (a, b) => b.count - a.count || (a.where + a.name < b.where + b.name ? -1 : 1),
  )
}

function retention(
  homes: GeminiHome[],
  sessions: DoctorSources['sessions'],
  nowMs: number,
): Doctor['retention'] {
  const settings = homes.filter(({ exists }) => exists).map(readSessionRetention)
  const enabled = settings.length === 0 || settings.some((setting) => setting.enabled !== false)
  if (!enabled) return { enabled, maxAgeDays: null, expiring: [] }
  const ages = settings.map(({ maxAgeDays }) => maxAgeDays ?? DEFAULT_MAX_AGE_DAYS)
  const maxAgeDays = ages.length === 0 ? DEFAULT_MAX_AGE_DAYS : Math.min(...ages)
  const expiring = sessions.flatMap(({ summary }) => {
    const lastMs = Date.parse(summary.lastUpdated ?? summary.endTime ?? '')
    const deletedAfterMs = lastMs + maxAgeDays * DAY_MS
    const isMain = summary.kind === 'main' && !Number.isNaN(lastMs)
    if (!isMain || deletedAfterMs > nowMs + WARNING_DAYS * DAY_MS) return []
    return [{ sessionKey: summary.key, deletedAfter: new Date(deletedAfterMs).toISOString() }]
  })
  return {
    enabled,
    maxAgeDays,
    expiring: expiring.sort((a, b) => (a.deletedAfter < b.deletedAfter ? -1 : 1)),
  }
}
