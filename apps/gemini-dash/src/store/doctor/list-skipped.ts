import type { Doctor } from '@gemini-dash/api'
import type { ParseIssue } from 'gemini-sessions'
import { explainFault, type SkippedEntry } from 'gemini-sessions/node'
import { adviseOn, explainIssue, isHarmless } from './explain-issue.ts'
import type { ExaminedSession } from './facts/examined-session.ts'

const UNEXPLAINED: ParseIssue = { code: 'unreadable', at: '', args: {} }

type Skipped = Doctor['files']['skipped']

/** What was not opened, and what was but could not be read to its end; what somebody may miss comes first. */
export function listSkipped(
  skipped: readonly SkippedEntry[],
  sessions: readonly ExaminedSession[],
  unread: ReadonlyMap<string, string>,
): Skipped {
  const notOpened = skipped.map(({ path, reason, advice, needsAttention }) => ({
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
        const [issue = UNEXPLAINED] = [...record.issues.filter(({ file }) => file === path), ...record.issues]
        return {
          path: `${home}/${path}`,
          reason: explainIssue(issue),
          advice: adviseOn(issue),
          needsAttention: !isHarmless(issue),
          sessionKey: summary.key,
        }
      }),
  )
}
