import type { Antigravity, Doctor } from '@gemini-dash/api'
import { formatCount, formatPlural, formatSize } from '@gemini-dash/api/figures'
import {
  countIssues,
  driftPlaces,
  FILE_KINDS,
  kindOfIssue,
  OTHER_NAMES,
  type ParseIssue,
  type ParseIssueCode,
} from 'gemini-sessions'
import {
  type DiscoveredFile,
  explainFault,
  findAntigravity,
  type GeminiHome,
  type ProjectIdentity,
  type Scan,
  type SkippedEntry,
} from 'gemini-sessions/node'
import { isFolder } from '../../paths.ts'
import { describeCli, type FoundCli } from '../installed-cli.ts'
import { countUnread } from '../sync/retries.ts'
import { conversationFiles } from '../sync/scan.ts'
import { reviewRetention } from './deletion-times.ts'
import { type ExaminedSession, toSessionLink } from './facts.ts'

/** Different names over all sessions; rarer ones beyond this are summed up per place. */
const MOST_NAMES = 200

/** Sessions listed for one kind of issue, and empty ones listed. */
const MOST_LINKS = 20

interface DoctorSources {
  homes: GeminiHome[]
  scan: Scan
  /** Files that look like a conversation but are in a place that nothing reads. */
  strays?: readonly SkippedEntry[]
  projects: readonly ProjectIdentity[]
  sessions: readonly ExaminedSession[]
  cache: Doctor['cache']
  warnings: Doctor['warnings']
  lostInArchive?: string | null
  isComplete: boolean
  nowMs: number
  /** Absolute paths that cannot be read at the moment, with the system's error code. */
  unread?: ReadonlyMap<string, string>
  /** null: none was found. */
  installed?: FoundCli | null
  sandboxes?: Doctor['sandboxes']
}

/** Copies that are listed individually. */
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
  lostInArchive = null,
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
      issues.length === 0 &&
      drift.length === 0 &&
      !skipped.some(({ needsAttention }) => needsAttention) &&
      !warnings.some(({ code }) => code === 'archive-damaged'),
    warnings,
    homes: listHomes(homes, scan),
    files: {
      found: foundFiles(scan).length,
      sessions: sessions.filter(({ summary }) => summary.kind === 'main' || summary.kind === 'subagent')
        .length,
      partlyRead: sessions.filter(isPartlyRead).length,
      skipped,
    },
    issues,
    drift,
    duplicates: copies.length,
    copies: copies.slice(0, MOST_COPIES),
    onlyThere: listOnlyThere(sessions).slice(0, MOST_COPIES),
    copiedSessions: listCopiedSessions(sessions),
    retention: reviewRetention(homes, sessions, nowMs),
    empty: listEmpty(sessions),
    lostInArchive,
    cli: describeCli(installed, sessions),
    sandboxes,
    unclearProjects: projects.flatMap(({ key, name, path, folders }) =>
      // Without a folder there is nothing more to find out.
      path === null && folders.length > 0 ? [{ key, name, folders }] : [],
    ),
    cache,
    ...(unread.size > 0 && { unread: countUnread(unread) }),
  }
}

/** Files of sessions that are in a home now. */
function foundFiles(scan: Scan): DiscoveredFile[] {
  return [...scan.files, ...conversationFiles(scan)].filter(({ kept }) => kept === undefined)
}

/** All files in a home, with the current file of their session. */
function filesWithCurrent(sessions: readonly ExaminedSession[]) {
  // Until a session is read in full, the roles of its files are a guess.
  return sessions
    .filter(({ summary }) => summary.indexed === 'full')
    .flatMap((session) => {
      const { files } = session.summary
      const current = files.find(({ role }) => role === 'current')
      return files
        .filter(({ kept }) => kept === undefined)
        .map((file) => ({ file, path: pathOf(file), current, link: toSessionLink(session) }))
    })
}

function pathOf({ home, path }: { home: string; path: string }): string {
  return `${home}/${path}`
}

/**
 * Files that only repeat what other files of their session contain. A transcript is not listed: it may contain what its database has lost.
 */
function listCopies(sessions: readonly ExaminedSession[]): Doctor['copies'] {
  return filesWithCurrent(sessions).flatMap(({ file: { role, own, format }, path, current, link }) =>
    role === 'copy' || (role === 'twin' && own === undefined && format !== 'transcript')
      ? [{ path, role, repeats: current === undefined ? '' : pathOf(current), ...link }]
      : [],
  )
}

/** Files besides the current one without which part of a session would be missing. */
function listOnlyThere(sessions: readonly ExaminedSession[]): Doctor['onlyThere'] {
  return filesWithCurrent(sessions).flatMap(({ file: { own }, path, link }) =>
    own === undefined ? [] : [{ path, ...own, ...link }],
  )
}

/** Sessions that Gemini CLI began, but without any message. */
function listEmpty(sessions: readonly ExaminedSession[]): Doctor['empty'] {
  const empty = sessions.filter(({ summary }) => summary.empty)
  return { total: empty.length, first: empty.slice(0, MOST_LINKS).map(toSessionLink) }
}

/** Sessions with requests that are counted for other sessions, most requests first. */
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

/** Where the program searched, and why nothing was found there. */
function listHomes(homes: readonly GeminiHome[], scan: Scan): Doctor['homes'] {
  return homes.map((home) => {
    const files = foundFiles(scan).filter((file) => file.home === home.path).length
    return {
      path: home.path,
      exists: home.exists,
      files,
      note: files > 0 ? null : explainNothing(home, scan),
      ...describeConversations(home.path, scan),
      ...describeAntigravity(home.path),
    }
  })
}

/** Not tested against the running program, so the report states how far its conversations are understood. */
function describeConversations(home: string, { conversations = [] }: Scan): { conversations?: string } {
  const count = conversations.filter((each) => each.home === home).length
  if (count === 0) return {}
  const what = formatPlural(count, 'conversation')
  return {
    conversations: `${what} of Antigravity CLI. Reading them is experimental: files of 1.0.8 to 1.2, and parts of 1.3, were seen.`,
  }
}

function explainNothing({ path, tmpPath, exists }: GeminiHome, { projects }: Scan): string {
  if (!exists) return 'This folder does not exist. Choose another one with --home or GEMINI_CLI_HOME.'
  if (!isFolder(tmpPath))
    return `It has no folder ${tmpPath.slice(path.length + 1)}: Gemini CLI has recorded nothing here.`
  return projects.some(({ home }) => home === path)
    ? 'It has projects, but no session files in them.'
    : 'It has no projects yet.'
}

/** What could not be read, by kind, most frequent first. */
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

/** Part of its files could not be read, but none is damaged entirely. */
function isPartlyRead({ summary, record }: ExaminedSession): boolean {
  return record.issues.length > 0 && !summary.files.some(({ role }) => role === 'damaged')
}

type Drift = Doctor['drift'][number]

/** What no known version of the CLI writes, over all sessions, most frequent first. */
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

/** What other Antigravity programs have left in this home, as fields to spread into its description; empty if there is nothing. */
export function describeAntigravity(home: string): { antigravity?: Antigravity } {
  const found = findAntigravity(home)
  if (found === null) return {}
  const { folders, conversations } = found
  const places = folders.map((name) => `${home}/${name}`).join(', ')
  const what = formatPlural(conversations, 'conversation')
  return {
    antigravity: {
      ...found,
      text: `${what} of other Antigravity programs, which are not read: ${places}.`,
    },
  }
}

interface IssueText {
  /** One or two sentences for people; `{at}` is the position in the file, `{size}` its size. */
  reason: string
  /** What to do about it, if anything can be done. */
  advice: string
}

const WHOLE_COPY = 'If you have a backup, put it in the same folder: it is then read instead.'

/** One text per code; docs/problems.md has the same. */
export const ISSUE_TEXTS: Readonly<Record<ParseIssueCode, IssueText>> = {
  'empty-file': {
    reason:
      'The file is empty. This happens when Gemini CLI is stopped before it writes anything, or when the disk is full.',
    advice: 'There is nothing to show.',
  },
  'not-a-session': {
    reason: 'This is not a Gemini CLI session, though its name looks like one.',
    advice: 'If another program put it here, it can stay.',
  },
  'truncated-json': {
    reason: 'The file is cut off{at}. Messages before that are shown; Gemini CLI can’t load it.',
    advice: WHOLE_COPY,
  },
  'broken-json': {
    reason: 'The JSON of the file is cut off. Messages before that are shown; Gemini CLI can’t load it.',
    advice: WHOLE_COPY,
  },
  'text-behind': {
    reason: 'Other data follows the session in its file. Its messages are shown; Gemini CLI can’t load it.',
    advice: 'It is often the rest of an older, longer version. You can remove it with an editor.',
  },
  'nothing-whole': {
    reason: 'The file ends before its first complete message{at}. Nothing can be shown.',
    advice: WHOLE_COPY,
  },
  'utf-16': {
    reason: 'The file is in UTF-16. Its messages are shown; Gemini CLI reads only UTF-8.',
    advice:
      'To resume the session, save the file as UTF-8. PowerShell 5 writes UTF-16 when it redirects output.',
  },
  'spread-record': {
    reason: 'Records span several lines{at}. They are shown; Gemini CLI reads one record per line.',
    advice:
      'A formatter or an editor can cause this. To resume the session, write one record per line again, for example with jq -c.',
  },
  'torn-tail': {
    reason: 'The last line is incomplete{at}: Gemini CLI may still be writing.',
    advice: 'If it is not running, it was stopped in the middle of this line. Everything before it is shown.',
  },
  'bad-line': {
    reason: 'A line is not JSON and was skipped{at}.',
    advice: 'The rest of the file is shown. A full disk or a power loss can leave such lines.',
  },
  'glued-line': {
    reason: 'A record was cut off, and the next one follows on the same line{at}.',
    advice:
      'The complete one is shown; the rest of the other is lost. This happens when Gemini CLI is killed while it writes.',
  },
  'odd-prompt-log': {
    reason:
      'The prompt log is cut off, or not in Gemini CLI’s format. Its prompts are shown as far as they can be read.',
    advice: 'On its next start, Gemini CLI sets this file aside and begins a new one.',
  },
  'no-metadata': {
    reason: 'The file does not name its session. ID and time come from the file name.',
    advice: 'Its messages are shown. Gemini CLI does not list this file.',
  },
  unreadable: {
    reason: 'The system does not allow reading it.',
    advice: 'Check the owner and permissions of the file. It is read as soon as possible.',
  },
  'too-deep': {
    reason: 'A value is nested too deeply and is kept as text{at}.',
    advice: 'Nothing is lost; it is shown as plain JSON.',
  },
  'too-large': {
    reason:
      'A value{size} is too large to be shown in full{at}. It is shown as text, or only its beginning is shown. The file still has the whole value.',
    advice: 'The raw record of its message has the full value.',
  },
  'unknown-record': {
    reason: 'A record of an unknown kind was skipped{at}.',
    advice: 'A newer Gemini CLI may have written it. Update gemini-dash or report it.',
  },
  'unknown-type': {
    reason: 'A message is of an unknown type{at} and is shown as recorded.',
    advice: 'A newer Gemini CLI may have written it. Update gemini-dash or report it.',
  },
  'bad-field': {
    reason: 'A field is of an unexpected type{at}.',
    advice: 'The rest of the message is shown. Its raw record has the field.',
  },
  'outside-home': {
    reason: 'A link points outside the Gemini folder, so it was not followed.',
    advice: 'To read its target, add that folder with --home.',
  },
  'not-a-file': {
    reason: 'This is a folder or a device, not a file.',
    advice: 'If it holds sessions, move them up into chats/.',
  },
  'broken-link': {
    reason: 'This is a broken link.',
    advice: 'Restore its target, or remove the link.',
  },
  'newer-format': {
    reason: 'A newer version of Antigravity CLI wrote the database of this conversation in another format.',
    advice: 'Its transcript is shown, if there is one. Update gemini-dash.',
  },
  'damaged-database': {
    reason:
      'The database of the conversation is damaged{at}. Its readable part, or its transcript, is shown.',
    advice: WHOLE_COPY,
  },
  encrypted: {
    reason: 'Antigravity CLI before 1.0.4 encrypted its conversations, so this one can’t be read.',
    advice: 'Antigravity CLI can still open it. The files next to it are shown.',
  },
  'from-transcript': {
    reason: 'From the transcript; may be incomplete: the conversation has no readable database.',
    advice: 'Tokens and costs are recorded only in the database.',
  },
  'head-missing': {
    reason: 'The transcript starts later than the conversation{at}.',
    advice: 'Earlier messages are not recorded anywhere else.',
  },
  shortened: {
    reason: 'Some texts were shortened when the transcript was written{at}.',
    advice: 'The full texts are not recorded anywhere else.',
  },
  'bad-usage': {
    reason: 'Recorded tokens contradict each other and are not counted{at}.',
    advice: 'The message itself is shown.',
  },
  'bad-row': {
    reason: 'A row of the database is not a step of a conversation and was skipped{at}.',
    advice: 'The rest of the database is shown.',
  },
  'left-out': {
    reason: 'Its name looks like part of a session, but it is not one.',
    advice: 'You can leave it there.',
  },
}

/** The meaning of an issue, for people. */
export function explainIssue(issue: ParseIssue): string {
  const { code, at, args } = issue
  const kind = kindOfIssue(issue)
  if (kind !== null) return FILE_KINDS[kind].reason
  if (code === 'unreadable' && typeof args.reason === 'string') return args.reason
  const size = typeof args.sizeBytes === 'number' ? ` of ${formatSize(args.sizeBytes)}` : ''
  const place = at.replace(/\d+$/, (digits) => formatCount(Number(digits)))
  return ISSUE_TEXTS[code].reason.replace('{size}', size).replace('{at}', at === '' ? '' : ` (${place})`)
}

/** What to do about it. */
function adviseOn(issue: Pick<ParseIssue, 'code' | 'args'>): string {
  const kind = kindOfIssue(issue)
  return kind === null ? ISSUE_TEXTS[issue.code].advice : FILE_KINDS[kind].advice
}

/** Nothing is missed: the whole file is something else, with no Gemini CLI content. */
function isHarmless(issue: Pick<ParseIssue, 'args'>): boolean {
  const kind = kindOfIssue(issue)
  return kind !== null && !FILE_KINDS[kind].needsAttention
}

type Skipped = Doctor['files']['skipped']

/** What was not opened, and what was opened but not completely read; possible losses come first. */
function listSkipped(
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
  const listed = [...notOpened, ...damagedFiles(sessions)]
  const all = [...listed, ...unreadFiles(unread, listed, sessions)]
  return [
    ...all.filter(({ needsAttention }) => needsAttention),
    ...all.filter(({ needsAttention }) => !needsAttention),
  ]
}

/** Files that were read before, but cannot be read now. */
function unreadFiles(
  unread: ReadonlyMap<string, string>,
  listed: Skipped,
  sessions: readonly ExaminedSession[],
): Skipped {
  const names = new Set<string>(listed.map(({ path }) => path))
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
          reason: `${explainFault(code)} Its last known content is shown.`,
          advice: 'Check its permissions. gemini-dash tries again and reads it as soon as possible.',
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
        // Copies of a damaged file have the same issues, which are recorded for the first one.
        const [issue] = [...record.issues.filter(({ file }) => file === path), ...record.issues]
        const listed =
          issue === undefined
            ? {
                reason: 'It can’t be read, and the reason is unknown.',
                advice: WHOLE_COPY,
                needsAttention: true,
              }
            : {
                reason: explainIssue(issue),
                advice: adviseOn(issue),
                needsAttention: !isHarmless(issue),
              }
        return { path: `${home}/${path}`, ...listed, sessionKey: summary.key }
      }),
  )
}
