import type { Doctor } from '@gemini-dash/api'
import type { GeminiHome } from 'gemini-sessions/node'
import type { ExaminedSession } from '../facts/examined-session.ts'
import { cleanedFiles } from './cleaned-files.ts'
import { findAtRisk } from './find-at-risk.ts'
import { findExpiring } from './find-expiring.ts'
import { retentionRule } from './retention-rule.ts'

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
