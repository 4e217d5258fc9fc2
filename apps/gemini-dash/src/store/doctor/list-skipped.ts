import type { Doctor } from '@gemini-dash/api'
import type { Scan } from 'gemini-sessions/node'
import { explainIssue, ISSUE_TEXTS } from '../explain-issue.ts'
import type { ExaminedSession } from './examined-session.ts'

type Skipped = Doctor['files']['skipped']

/** What was not opened, and what was but could not be read to its end; what somebody may miss comes first. */
export function listSkipped(scan: Scan, sessions: readonly ExaminedSession[]): Skipped {
  const notOpened = scan.skipped.map(({ path, reason, advice, needsAttention }) => ({
    path,
    reason,
    advice,
    needsAttention,
    sessionKey: null,
  }))
  const all = [...notOpened, ...damagedFiles(sessions)]
  return [
    ...all.filter(({ needsAttention }) => needsAttention),
    ...all.filter(({ needsAttention }) => !needsAttention),
  ]
}

function damagedFiles(sessions: readonly ExaminedSession[]): Skipped {
  return sessions.flatMap(({ summary, record }) =>
    summary.files
      .filter(({ role }) => role === 'damaged')
      .map(({ home, path }) => {
        const issue = record.issues.find(({ file }) => file === path) ?? record.issues[0]
        return {
          path: `${home}/${path}`,
          reason: issue === undefined ? 'It could not be read.' : explainIssue(issue),
          advice: ISSUE_TEXTS[issue?.code ?? 'unreadable'].advice,
          needsAttention: true,
          sessionKey: summary.key,
        }
      }),
  )
}
