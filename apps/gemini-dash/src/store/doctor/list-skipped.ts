import type { Doctor } from '@gemini-dash/api'
import { explainFault, type Scan } from 'gemini-sessions/node'
import { explainIssue, ISSUE_TEXTS } from './explain-issue.ts'
import type { ExaminedSession } from './facts/examined-session.ts'

type Skipped = Doctor['files']['skipped']

/** What was not opened, and what was but could not be read to its end; what somebody may miss comes first. */
export function listSkipped(
  scan: Scan,
  sessions: readonly ExaminedSession[],
  unread: ReadonlyMap<string, string>,
): Skipped {
  const notOpened = scan.skipped.map(({ path, reason, advice, needsAttention }) => ({
    path,
    reason,
    advice,
    needsAttention,
    sessionKey: null,
  }))
  const told = [...notOpened, ...damagedFiles(sessions)]
  const all = [...told, ...unreadFiles(unread, told, sessions)]
  return [
    ...all.filter(({ needsAttention }) => needsAttention),
    ...all.filter(({ needsAttention }) => !needsAttention),
  ]
}

/** Files that were read before, and cannot be read now. */
function unreadFiles(
  unread: ReadonlyMap<string, string>,
  told: Skipped,
  sessions: readonly ExaminedSession[],
): Skipped {
  const names = new Set<string>(told.map(({ path }) => path))
  const keys = new Map<string, string>(
    sessions.flatMap(({ summary }) =>
      summary.files.map(({ home, path }) => [`${home}/${path}`, summary.key] as const),
    ),
  )
  return [...unread].flatMap(([path, code]) =>
    names.has(path)
      ? []
      : {
          path,
          reason: `${explainFault(code)} What was known of it before is shown.`,
          advice: 'Check who may read it; it is tried again, and read as soon as that is possible.',
          needsAttention: true,
          sessionKey: keys.get(path) ?? null,
        },
  )
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
