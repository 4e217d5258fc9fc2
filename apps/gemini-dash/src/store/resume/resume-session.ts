import type { Resume, Shell } from '@gemini-dash/api'
import type { GeminiHome } from 'gemini-sessions/node'
import { isFolder } from '../../paths/is-folder.ts'
import type { InstalledCli } from '../cli/installed-cli.ts'
import type { ExaminedSession } from '../doctor/facts/examined-session.ts'
import { reviewRetention } from '../doctor/retention/review-retention.ts'
import { planResume } from './plan-resume.ts'

export interface ResumeSources {
  homes: readonly GeminiHome[]
  sessions: readonly ExaminedSession[]
  nowMs: number
}

/** How Gemini CLI goes on with a session, by what its files and the files beside them tell; null: there is no such session. */
export function resumeSession(
  { homes, sessions, nowMs }: ResumeSources,
  key: string,
  shell: Shell,
  cli: InstalledCli,
): Resume | null {
  const session = sessions.find(({ summary }) => summary.key === key)?.summary
  if (session === undefined) return null
  const { atRisk, expiring } = reviewRetention(homes, sessions, nowMs)
  const isExpired = expiring.some(
    ({ sessionKey, deletedAfter }) => sessionKey === key && Date.parse(deletedAfter) <= nowMs,
  )
  const tooOld = isExpired ? 'It is older than its settings let sessions become.' : null
  return planResume({
    session,
    shell,
    cli,
    isFolder,
    deletedNextStart: atRisk.find(({ sessionKey }) => sessionKey === key)?.reason ?? tooOld,
    isIdShared: sessions.some(
      ({ summary }) =>
        summary.key !== key &&
        summary.kind === 'main' &&
        summary.sessionId === session.sessionId &&
        summary.project.key === session.project.key,
    ),
  })
}
