import type { Resume, ResumeProblem, Shell } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import { addedFrom } from '@gemini-dash/api/source-names'
import type { SessionFile, SessionSummary } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import { isFolder } from '../paths.ts'
import { reviewRetention } from './doctor/deletion-times.ts'
import type { ExaminedSession } from './doctor/facts.ts'
import { byRules, type InstalledCli, isOlder } from './installed-cli.ts'
import { quoteForShell, quoteValue } from './quote-for-shell.ts'

interface ResumeSources {
  homes: readonly GeminiHome[]
  sessions: readonly ExaminedSession[]
  nowMs: number
  /** They were opened as files: no Gemini CLI looks for them where they are. */
  isOpened: boolean
}

/** How Gemini CLI can continue a session, based on its files and the files beside them; null: no such session. */
export function resumeSession(
  { homes, sessions, nowMs, isOpened }: ResumeSources,
  key: string,
  { shell, cli, at }: Pick<ResumeFacts, 'shell' | 'cli' | 'at'>,
): Resume | null {
  const session = sessions.find(({ summary }) => summary.key === key)?.summary
  if (session === undefined) return null
  if (isOpened) return refused(OPENED)
  const { atRisk, expiring } = reviewRetention(homes, sessions, nowMs)
  const isExpired = expiring.some(
    ({ sessionKey, deletedAfter }) => sessionKey === key && Date.parse(deletedAfter) <= nowMs,
  )
  const tooOld = isExpired ? 'It is older than its settings allow.' : null
  return planResume({
    session,
    shell,
    cli,
    at,
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

export interface ResumeFacts {
  session: SessionSummary
  shell: Shell
  cli: InstalledCli
  /** The turn before which to continue, in a new session; omitted: at its end, in the same session. */
  at?: number | undefined
  isFolder: (path: string) => boolean
  /** Why the next start of the CLI deletes its files; null: it does not. */
  deletedNextStart: string | null
  /** Another session was recorded under the same id. */
  isIdShared: boolean
}

/** Verified for each version by resuming by id: 0.20.2 reads JSON, 0.30 moved to folders with names, 0.39 to logs. */
const NEEDS_LOG = '0.39.0'
const NEEDS_NAMED_FOLDER = '0.30.0'
const NEEDS_ID = '0.20.2'
const HASH_FOLDER = /^tmp\/[0-9a-f]{64}\//

/** The exact command that continues a session, and known reasons against it. Reads nothing, runs nothing. */
export function planResume(facts: ResumeFacts): Resume {
  const { session } = facts
  if (facts.at !== undefined) return planFork(facts, facts.at)
  if (session.source === 'antigravity-cli') return planConversation(facts)
  const refusal = findRefusal(session)
  if (refusal !== null) return refused(refusal)
  const cwd = session.project.path
  const needs = oldestVersion(session.files)
  const found = findProblems(facts, cwd, needs)
  if (isUnlisted(session)) {
    const due = found.flatMap(({ problem, note }) => (problem === 'deleted-next-start' ? note : []))
    return { ...refused(UNLISTED), notes: [UNLISTED, ...due] }
  }
  return {
    command: commandOf(facts, cwd),
    cwd,
    needs,
    problems: found.map(({ problem }) => problem),
    notes: found.map(({ note }) => note),
  }
}

/** Antigravity CLI finds a conversation by its id, from any folder; it works in the folder where it is started. */
function planConversation({ session, shell, cli, isFolder }: ResumeFacts): Resume {
  const cwd = session.project.path
  if (session.kind === 'subagent') return refused(OF_SUBAGENT)
  const problems: { problem: ResumeProblem; note: string }[] = []
  if (cwd !== null && !isFolder(cwd))
    problems.push({ problem: 'folder-gone', note: `${cwd} doesn’t exist on this computer.` })
  // transcripts alone cannot be continued
  const isKept = session.files.some(({ format, kept }) => format === 'sqlite' && kept !== undefined)
  if (session.deletedSeen !== null || isKept)
    problems.push({
      problem: 'deleted',
      note: 'Its files are no longer in the Gemini folder, so Antigravity CLI can’t resume it. The archived copy is shown here.',
    })
  const quote = (value: string) => quoteForShell(value, shell)
  const isOther = session.files.length > 0 && !isReachable(session, cli)
  const home = isOther ? `${quote(`--gemini_dir=${session.files[0]?.home ?? ''}`)} ` : ''
  return {
    command: `${inFolder(cwd, shell)}agy ${home}--conversation ${quote(session.sessionId)}`,
    cwd,
    needs: null,
    problems: problems.map(({ problem }) => problem),
    notes: problems.map(({ note }) => note),
  }
}

function refused(reason: string): Resume {
  return { command: null, cwd: null, needs: null, problems: [], notes: [reason] }
}

const OPENED =
  'An opened file can’t be resumed here. Start a new session with its brief instead: use Share, or run gemini-dash handover --file PATH.'

const OF_SUBAGENT =
  'A sub-agent’s session can be resumed only with the session that started it. Resume that one.'

/** Continuing from an earlier turn requires a new file: the command is one of ours, which prints that of the CLI. */
function planFork(facts: ResumeFacts, at: number): Resume {
  const { session, shell, cli } = facts
  const { project, source, key, files } = session
  const refusal =
    source === 'antigravity-cli'
      ? 'Conversations of Antigravity CLI can’t be forked: only Antigravity CLI can write them.'
      : at < 2
        ? 'There is nothing to continue before this prompt.'
        : findRefusal({ ...session, buried: false })
  if (refusal !== null) return refused(refusal)
  const needs = oldestVersion(files)
  const found = findProblems(facts, project.path, needs).filter(({ problem }) => problem === 'folder-gone')
  const home = isReachable(session, cli) ? '' : ` --home ${quoteForShell(files[0]?.home ?? '', shell)}`
  return {
    command: `gemini-dash fork ${quoteForShell(key, shell)} --at ${at} --write${home}`,
    cwd: project.path,
    needs,
    problems: found.map(({ problem }) => problem),
    notes: found.map(({ note }) => note),
  }
}

/** What Gemini CLI never offers to resume. */
function findRefusal({ kind, sessionId, buried, counts, files }: SessionSummary): string | null {
  if (kind === 'subagent') return OF_SUBAGENT
  if (kind === 'checkpoint' && !sessionId.startsWith('checkpoint-'))
    return 'This chat was saved for a bug report or to share. To resume it, copy its file as checkpoint-NAME.json to the same folder, start Gemini CLI in the project’s folder and type /chat resume NAME there.'
  if (kind === 'checkpoint')
    return 'This is a saved chat. To resume it, start Gemini CLI in the project’s folder and type /chat resume and its name there.'
  if (kind === 'prompts-only')
    return 'Only the prompts of this session are left, so Gemini CLI has no conversation to resume.'
  if (buried) return 'Gemini CLI treats this session as empty and can’t resume it. Its file is still here.'
  if (files.every(({ role }) => role === 'damaged'))
    return 'The file of this session is damaged, so Gemini CLI can’t load it.'
  if (counts !== null && counts.messages === 0)
    return 'This session has no messages, so Gemini CLI does not offer it.'
  return null
}

/** Whether the CLI’s loader would take none of the files that are there; unknown until they are read. */
function isUnlisted({ files }: SessionSummary): boolean {
  const there = files.filter(({ kept }) => kept === undefined)
  return there.length > 0 && there.every(({ resumable }) => resumable === false)
}

const UNLISTED = 'Gemini CLI finds nothing to resume in the files of this session and does not offer it.'

function oldestVersion(files: readonly SessionFile[]): string {
  const current = files.find(({ role }) => role === 'current') ?? files[0]
  if (current?.path.endsWith('.jsonl')) return NEEDS_LOG
  return HASH_FOLDER.test(current?.path ?? '') ? NEEDS_ID : NEEDS_NAMED_FOLDER
}

function findProblems(
  { session, cli, isFolder, deletedNextStart, isIdShared }: ResumeFacts,
  cwd: string | null,
  needs: string,
): { problem: ResumeProblem; note: string }[] {
  const found: { problem: ResumeProblem; note: string }[] = []
  const add = (problem: ResumeProblem, note: string) => found.push({ problem, note })
  if (cwd === null)
    add(
      'folder-gone',
      'The folder of this project is unknown. Gemini CLI finds a session only from its project folder.',
    )
  else if (!isFolder(cwd))
    add(
      'folder-gone',
      `${cwd} doesn’t exist on this computer. Gemini CLI finds a session only from its project folder.`,
    )
  if (!isReachable(session, cli)) {
    const home = session.files[0]?.home ?? ''
    add('other-home', `The session is in ${home}, which isn’t Gemini CLI’s default folder.`)
  }
  if (deletedNextStart !== null) {
    const { before, after } = dueWords(byRules({ installed: cli.version, writtenBy: null }))
    add(
      'deleted-next-start',
      `${before}this session${after} on its next start. ${deletedNextStart} Copy its file elsewhere first.`,
    )
  }
  if (isIdShared)
    add('shared-id', 'Several sessions have this ID. Gemini CLI resumes the one that was written last.')
  const from = addedFrom(session)
  if (from !== null)
    add(
      'deleted',
      `It was added to the archive from ${from}, and was never in the Gemini folder, so Gemini CLI can’t resume it.`,
    )
  else if (session.deletedSeen !== null)
    add(
      'deleted',
      'Its files are no longer in the Gemini folder, so Gemini CLI can’t resume it. The archived copy is shown here.',
    )
  if (cli.version !== null && isOlder(cli.version, needs))
    add('cli-too-old', `Gemini CLI ${cli.version} is installed; this session needs ${needs} or later.`)
  return found
}

function isReachable({ files }: SessionSummary, { homes }: InstalledCli): boolean {
  return files.some(({ home, role }) => role !== 'stub' && homes.includes(home))
}

function commandOf({ session, shell, cli }: ResumeFacts, cwd: string | null): string {
  const quote = (value: string) => quoteForShell(value, shell)
  const home = isReachable(session, cli) ? null : folderAbove(session.files[0]?.home ?? '')
  // A leading dash would be read as an option.
  const id = session.sessionId
  const gemini = id.startsWith('-') ? `gemini ${quote(`--resume=${id}`)}` : `gemini --resume ${quote(id)}`
  if (shell === 'posix') {
    return `${inFolder(cwd, shell)}${home === null ? '' : `GEMINI_CLI_HOME=${quote(home)} `}${gemini}`
  }
  return `${inFolder(cwd, shell)}${home === null ? '' : `$env:GEMINI_CLI_HOME = ${quoteValue(home)}; `}${gemini}`
}

function inFolder(cwd: string | null, shell: Shell): string {
  if (cwd === null) return ''
  const folder = quoteForShell(cwd, shell)
  return shell === 'posix' ? `cd ${folder} && ` : `Set-Location -LiteralPath ${folder}; `
}

/** `GEMINI_CLI_HOME` names the parent of `.gemini`; null: a copy with another name, which it cannot name. */
function folderAbove(home: string): string | null {
  const name = '/.gemini'
  return home.endsWith(name) ? home.slice(0, -name.length) || '/' : null
}
