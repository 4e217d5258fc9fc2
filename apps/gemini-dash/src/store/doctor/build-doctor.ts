import type { Antigravity, Doctor } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { countIssues, driftPlaces, OTHER_NAMES, type ParseIssueCode } from 'gemini-sessions'
import type { GeminiHome, ProjectIdentity, Scan, SkippedEntry } from 'gemini-sessions/node'
import { findAntigravity } from 'gemini-sessions/node'
import { isFolder } from '../../paths/is-folder.ts'
import { countUnread } from '../catalog/unread-book.ts'
import type { FoundCli } from '../cli/installed-cli.ts'
import { describeCli } from '../cli/versions.ts'
import { explainIssue, ISSUE_TEXTS, isHarmless } from './explain-issue.ts'
import type { ExaminedSession } from './facts/examined-session.ts'
import { toSessionLink } from './facts/examined-session.ts'
import { listSkipped } from './list-skipped.ts'
import { reviewRetention } from './retention/review-retention.ts'

/** Different names over all sessions; the rarest beyond are counted together, place by place. */
const MOST_NAMES = 200

/** Sessions named for one kind of issue, and empty ones. */
const MOST_LINKS = 20

export interface DoctorSources {
  homes: GeminiHome[]
  scan: Scan
  /** What looks like a conversation where nothing reads it. */
  strays?: readonly SkippedEntry[]
  projects: readonly ProjectIdentity[]
  sessions: ExaminedSession[]
  cache: Doctor['cache']
  warnings: Doctor['warnings']
  isComplete: boolean
  nowMs: number
  /** Absolute paths that cannot be read just now, with the code of the system. */
  unread?: ReadonlyMap<string, string>
  /** null: none was found. */
  installed?: FoundCli | null
  sandboxes?: Doctor['sandboxes']
}

/** Copies named one by one. */
const MOST_COPIES = 1_000

/** What was found, what was skipped and why, and what no known version of the CLI writes. */
export function buildDoctor({
  homes,
  scan,
  strays = [],
  projects,
  sessions,
  cache,
  warnings,
  isComplete,
  nowMs,
  unread = new Map(),
  installed = null,
  sandboxes = [],
}: DoctorSources): Omit<Doctor, 'disk' | 'unpriced'> {
  const skipped = listSkipped([...scan.skipped, ...strays], sessions, unread)
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
      found: scan.files.filter(({ kept }) => kept === undefined).length,
      sessions: sessions.filter(({ summary }) => summary.kind === 'main' || summary.kind === 'subagent')
        .length,
      partlyRead: sessions.filter(isPartlyRead).length,
      skipped,
    },
    issues,
    drift,
    duplicates: copies.length,
    copies: copies.slice(0, MOST_COPIES),
    copiedSessions: listCopiedSessions(sessions),
    retention: reviewRetention(homes, sessions, nowMs),
    empty: listEmpty(sessions),
    cli: describeCli(installed, sessions),
    sandboxes,
    unclearProjects: projects.flatMap(({ key, name, path, folders }) =>
      path === null ? [{ key, name, folders }] : [],
    ),
    cache,
    ...(unread.size > 0 && { unread: countUnread(unread) }),
  }
}

/** Files that only repeat what another file of their session holds. */
function listCopies(sessions: readonly ExaminedSession[]): Doctor['copies'] {
  // Before a session is read whole, what its files are to each other is a guess.
  const known = sessions.filter(({ summary }) => summary.indexed === 'full')
  return known.flatMap((session) =>
    session.summary.files.flatMap(({ home, path, role, kept }) =>
      kept === undefined && (role === 'copy' || role === 'twin')
        ? [{ path: `${home}/${path}`, role, ...toSessionLink(session) }]
        : [],
    ),
  )
}

/** Sessions that Gemini CLI began, and in which nothing was ever said. */
function listEmpty(sessions: readonly ExaminedSession[]): Doctor['empty'] {
  const empty = sessions.filter(({ summary }) => summary.empty)
  return { total: empty.length, first: empty.slice(0, MOST_LINKS).map(toSessionLink) }
}

/** Sessions with requests that others count, those with most of them first. */
function listCopiedSessions(sessions: readonly ExaminedSession[]): Doctor['copiedSessions'] {
  return sessions
    .flatMap((session) => {
      const { copiedFrom } = session.summary
      if (copiedFrom === null) return []
      const { sessionKey: key, title } = toSessionLink(session)
      const requests = session.record.billedElsewhere.flatMap((elsewhere) => elsewhere.requests).length
      return [{ key, title, from: copiedFrom.sessionKey, requests }]
    })
    .sort((a, b) => b.requests - a.requests || (a.key < b.key ? -1 : 1))
}

/** Where was looked, and why nothing was found there. */
function listHomes(homes: readonly GeminiHome[], scan: Scan): Doctor['homes'] {
  return homes.map((home) => {
    const files = scan.files.filter((file) => file.home === home.path && file.kept === undefined).length
    return {
      path: home.path,
      exists: home.exists,
      files,
      note: files > 0 ? null : explainNothing(home, scan),
      ...describeAntigravity(home.path),
    }
  })
}

function explainNothing({ path, tmpPath, exists }: GeminiHome, { projects }: Scan): string {
  if (!exists) return 'This folder does not exist. Another one can be named with --home or GEMINI_CLI_HOME.'
  if (!isFolder(tmpPath))
    return `It holds no folder ${tmpPath.slice(path.length + 1)}: the CLI has recorded nothing here.`
  return projects.some(({ home }) => home === path)
    ? 'It has projects, but no session files in them: deleted since, or recorded by a version before 0.4.'
    : 'No project is in it yet.'
}

/** What could not be read, by kind, the most frequent first. */
function groupIssues(sessions: readonly ExaminedSession[]): Doctor['issues'] {
  const groups = new Map<ParseIssueCode, Doctor['issues'][number]>()
  for (const session of sessions) {
    const partlyRead = new Set<ParseIssueCode>()
    for (const issue of session.record.issues) {
      if (isHarmless(issue)) continue
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

/** Something in its files could not be read, but none of them is damaged as a whole. */
function isPartlyRead({ summary, record }: ExaminedSession): boolean {
  return record.issues.length > 0 && !summary.files.some(({ role }) => role === 'damaged')
}

type Drift = Doctor['drift'][number]

/** What no known version of the CLI writes, over all sessions, the most frequent first. */
function groupDrift(sessions: readonly ExaminedSession[]): Drift[] {
  const found = new Map<string, Drift>()
  for (const { summary, record } of sessions) {
    for (const { where, name, at, count, file } of record.drift) {
      const example = at === '' ? file : `${file}, ${at}`
      const meaning = driftPlaces[where]
      add(found, { where, name, count, example, meaning, sessions: 1, sessionKey: summary.key })
    }
  }
  return bound([...found.values()].sort(mostFrequentFirst))
}

function bound(drift: Drift[]): Drift[] {
  if (drift.length <= MOST_NAMES) return drift
  const kept = new Map<string, Drift>()
  for (const [index, note] of drift.entries()) {
    add(kept, index < MOST_NAMES ? note : { ...note, name: OTHER_NAMES })
  }
  return [...kept.values()].sort(mostFrequentFirst)
}

function add(found: Map<string, Drift>, note: Drift): void {
  const identity = `${note.where}\n${note.name}`
  const known = found.get(identity)
  if (known === undefined) found.set(identity, { ...note })
  else {
    known.count += note.count
    known.sessions += note.sessions
  }
}

function mostFrequentFirst(a: Drift, b: Drift): number {
  return b.count - a.count || (a.where + a.name < b.where + b.name ? -1 : 1)
}

/** What Antigravity has left in this home, to be spread into what is said of it: nothing where it has left nothing. */
export function describeAntigravity(home: string): { antigravity?: Antigravity } {
  const found = findAntigravity(home)
  if (found === null) return {}
  const { folders, conversations } = found
  const places = folders.map((name) => `${home}/${name}`).join(', ')
  const what = formatPlural(conversations, 'conversation')
  return {
    antigravity: {
      ...found,
      text: `${what} of Antigravity, in a format of its own that is not read yet: ${places}.`,
    },
  }
}
