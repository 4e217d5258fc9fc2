import type { Doctor } from '@gemini-dash/api'
import { countIssues, type ParseIssueCode } from 'gemini-sessions'
import { explainIssue, ISSUE_TEXTS } from './explain-issue.ts'
import type { ExaminedSession } from './facts/examined-session.ts'
import { isPartlyRead } from './facts/is-partly-read.ts'
import { toSessionLink } from './facts/to-session-link.ts'

/** Sessions named for one kind of issue. */
const MOST_LINKS = 20

/** What could not be read, by kind, the most frequent first. */
export function groupIssues(sessions: readonly ExaminedSession[]): Doctor['issues'] {
  const groups = new Map<ParseIssueCode, Doctor['issues'][number]>()
  for (const session of sessions) {
    const partlyRead = new Set<ParseIssueCode>()
    for (const issue of session.record.issues) {
      const { code, at, file } = issue
      const group = groups.get(code) ?? {
        code,
        count: 0,
        reason: explainIssue({ code, at: '', args: {} }),
        advice: ISSUE_TEXTS[code].advice,
        example: { path: file, at },
        partlyRead: { total: 0, first: [] },
      }
      groups.set(code, group)
      group.count += countIssues([issue])
      if (isPartlyRead(session)) partlyRead.add(code)
    }
    for (const code of partlyRead) addLink(groups.get(code), session)
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}

function addLink(group: Doctor['issues'][number] | undefined, session: ExaminedSession): void {
  if (group === undefined) return
  group.partlyRead.total += 1
  if (group.partlyRead.first.length < MOST_LINKS) {
    group.partlyRead.first.push(toSessionLink(session))
  }
}
