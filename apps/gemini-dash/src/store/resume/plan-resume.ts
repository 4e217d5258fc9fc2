import type { Resume, ResumeProblem, Shell } from '@gemini-dash/api'
import { dueWords } from '@gemini-dash/api/due-words'
import type { SessionFile, SessionSummary } from 'gemini-sessions'
import type { InstalledCli } from '../cli/installed-cli.ts'
import { byRules, isOlder } from '../cli/versions.ts'
import { quoteForShell } from './quote-for-shell.ts'

export interface ResumeFacts {
  session: SessionSummary
  shell: Shell
  cli: InstalledCli
  isFolder: (path: string) => boolean
  /** Why the next start of the CLI deletes its files; null: it does not. */
  deletedNextStart: string | null
  /** Another session was recorded under the same id. */
  isIdShared: boolean
}

/** Seen with each version by resuming by id: 0.20.2 reads JSON, 0.30 moved to folders with names, 0.39 to logs. */
const NEEDS_LOG = '0.39.0'
const NEEDS_NAMED_FOLDER = '0.30.0'
const NEEDS_ID = '0.20.2'
const HASH_FOLDER = /^tmp\/[0-9a-f]{64}\//

/** The exact command that goes on with a session, and what the evidence says against it. Reads nothing, runs nothing. */
export function planResume(facts: ResumeFacts): Resume {
  const { session } = facts
  const refusal = findRefusal(session)
  if (refusal !== null) return { command: null, cwd: null, needs: null, problems: [], notes: [refusal] }
  const cwd = session.project.path
  const needs = oldestVersion(session.files)
  const found = findProblems(facts, cwd, needs)
  return {
    command: commandOf(facts, cwd),
    cwd,
    needs,
    problems: found.map(({ problem }) => problem),
    notes: found.map(({ note }) => note),
  }
}

/** What Gemini CLI never offers to resume. */
function findRefusal({ kind, sessionId, buried, counts, files }: SessionSummary): string | null {
  if (kind === 'subagent')
    return 'A sub-agent’s session goes on only with the session that started it: resume that one.'
  if (kind === 'checkpoint' && !sessionId.startsWith('checkpoint-'))
    return 'This chat was saved for a bug report, or to share it. To go on with it, copy its file as checkpoint-NAME.json beside it, start Gemini CLI in the project’s folder and type /chat resume NAME there.'
  if (kind === 'checkpoint')
    return 'This is a saved chat: start Gemini CLI in the project’s folder and type /chat resume and its name there.'
  if (kind === 'prompts-only')
    return 'Of this session only the prompts are left; there is no conversation that Gemini CLI could go on with.'
  if (buried)
    return 'For Gemini CLI nothing is left of this conversation, so it does not offer it. Its log still holds it, as you see.'
  if (files.every(({ role }) => role === 'damaged'))
    return 'The file of this session is damaged: Gemini CLI cannot load it.'
  if (counts !== null && counts.messages === 0)
    return 'Nothing was said in this session, so Gemini CLI does not offer it.'
  return null
}

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
      'The folder of this project is not known. Gemini CLI finds the session only when it is started there.',
    )
  else if (!isFolder(cwd))
    add(
      'folder-gone',
      `${cwd} is not on this computer now. Gemini CLI finds the session only when it is started there.`,
    )
  if (!isReachable(session, cli)) {
    const home = session.files[0]?.home ?? ''
    add('other-home', `The session lies in ${home}, where Gemini CLI does not look by itself.`)
  }
  if (deletedNextStart !== null) {
    const { before, after } = dueWords(byRules({ installed: cli.version, writtenBy: null }))
    add(
      'deleted-next-start',
      `${before}this session${after} on its next start. ${deletedNextStart} Copy its file elsewhere first.`,
    )
  }
  if (isIdShared)
    add('shared-id', 'More than one session has this id: Gemini CLI resumes the one that was written last.')
  if (session.deletedSeen !== null)
    add(
      'deleted',
      'Its files are not in the home any more: Gemini CLI cannot go on with it. What it held is kept, and shown here.',
    )
  if (cli.version !== null && isOlder(cli.version, needs))
    add(
      'cli-too-old',
      `The Gemini CLI that is installed is ${cli.version}; this session needs ${needs} or later.`,
    )
  return found
}

function isReachable({ files }: SessionSummary, { homes }: InstalledCli): boolean {
  return files.some(({ home, role }) => role !== 'stub' && homes.includes(home))
}

function commandOf({ session, shell, cli }: ResumeFacts, cwd: string | null): string {
  const quote = (value: string) => quoteForShell(value, shell)
  const home = isReachable(session, cli) ? null : folderAbove(session.files[0]?.home ?? '')
  // What begins with a dash would be read as an option.
  const id = session.sessionId
  const gemini = id.startsWith('-') ? `gemini ${quote(`--resume=${id}`)}` : `gemini --resume ${quote(id)}`
  if (shell === 'posix') {
    const inFolder = cwd === null ? '' : `cd ${quote(cwd)} && `
    return `${inFolder}${home === null ? '' : `GEMINI_CLI_HOME=${quote(home)} `}${gemini}`
  }
  const inFolder = cwd === null ? '' : `Set-Location -LiteralPath ${quote(cwd)}; `
  return `${inFolder}${home === null ? '' : `$env:GEMINI_CLI_HOME = ${quoteValue(home)}; `}${gemini}`
}

/** On the right of an assignment a bare word would be a command. */
function quoteValue(value: string): string {
  const quoted = quoteForShell(value, 'powershell')
  return quoted === value ? `'${value}'` : quoted
}

/** `GEMINI_CLI_HOME` names the folder above `.gemini`; null: a copy by another name, which it cannot name. */
function folderAbove(home: string): string | null {
  const name = '/.gemini'
  return home.endsWith(name) ? home.slice(0, -name.length) || '/' : null
}
