import type { Message, Session, ToolCall } from '../model/message.ts'
import type { CallFate, FailureFate, FateCounts } from '../model/session-summary.ts'
import { hasRunToItsEnd } from '../parse/lift/calls.ts'
import { textFingerprint } from '../parse/text-fingerprint.ts'
import { isRawObject } from '../raw.ts'
import { resolveTouchedPath } from './find-file-calls.ts'
import { canonicalJson, isDamagedSession, isPrompt, messageText, oneLine, RecordedCalls } from './messages.ts'
import { findProjectPath, foldPath } from './path-spellings.ts'

/** A call that succeeded or failed, and that nobody rewound. */
export interface Run {
  message: Message
  call: ToolCall
  /** Position among the calls of its message. */
  index: number
}

/** Every run of one command in one folder, or of one tool on one file or query, in reading order. */
export type RunSeries = readonly Run[]

/** A failed run, and what became of it. Here alone is decided what that is. */
export interface FailedRun {
  run: Run
  series: RunSeries
  kind: FailureFate
  /** The last run before it that succeeded. */
  worked: Run | null
  /** The first run after it that succeeded. */
  succeeded: Run | null
}

/** What is needed of a session to know its runs; none of its large texts. */
export type RecordOfRuns = Pick<Session, 'messages' | 'files' | 'drawnKeys' | 'projectHash' | 'directories'>

/**
 * All runs of a session, by what was run; what ran last comes last. What was declined, cancelled or only started is no run, nor is a copy of one. The
 * runs of a sub-agent in its parent's file are series of their own.
 */
export function findRuns(session: RecordOfRuns): RunSeries[] {
  // A damaged file may repeat what a whole one holds, and its figures are 0 (contract rule 7).
  if (isDamagedSession(session)) return []
  const root = rootOfCalls(session)
  const stands = standingCalls(session)
  const recorded = new RecordedCalls()
  const series = new Map<string, Run[]>()
  for (const message of session.messages) {
    for (const call of recorded.newIn(message)) {
      const run = { message, call, index: message.toolCalls.indexOf(call) }
      if (!isRun(call) || !stands(run)) continue
      const key = `${message.agentKey ?? ''}\n${runSubject(call, root)}`
      const runs = series.get(key) ?? []
      runs.push(run)
      // moved to the end
      series.delete(key)
      series.set(key, runs)
    }
  }
  return [...series.values()]
}

/**
 * The failed calls of a session that nobody rewound, in reading order, with their fates: later succeeded if a later run of
 * the same succeeded; else never rerun if it is the only run, and still failing if there are others.
 */
export function failedRuns(session: RecordOfRuns): FailedRun[] {
  if (!session.messages.some(({ toolCalls }) => toolCalls.some(({ failed }) => failed))) return []
  const places = new Map(session.messages.map((message, place) => [message, place]))
  const placeOf = ({ run: { message } }: FailedRun) => places.get(message) ?? 0
  return findRuns(session)
    .flatMap(judgeSeries)
    .sort((a, b) => placeOf(a) - placeOf(b) || a.run.index - b.run.index)
}

function judgeSeries(series: RunSeries): FailedRun[] {
  const found: FailedRun[] = []
  let worked: Run | null = null
  let open: FailedRun[] = []
  for (const run of series) {
    if (run.call.failed) {
      const kind = series.length === 1 ? 'neverRerun' : 'stillFailing'
      open.push({ run, series, kind, worked, succeeded: null })
    } else {
      found.push(...open.map((each): FailedRun => ({ ...each, kind: 'laterSucceeded', succeeded: run })))
      open = []
      worked = run
    }
  }
  return [...found, ...open]
}

/** How many of these have which fate. */
export function countFates(failed: readonly FailedRun[]): FateCounts {
  const counts: FateCounts = { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 }
  for (const { kind } of failed) counts[kind] += 1
  return counts
}

/** The same messages, with `fate` set on the failed calls of the session, also where a copy draws one a second time. */
export function linkFates(messages: readonly Message[], session: RecordOfRuns): Message[] {
  const fates = new Map(failedRuns(session).map((failed) => [nameOf(failed.run), toFate(failed)]))
  if (fates.size === 0) return [...messages]
  return messages.map((message) => {
    if (!message.toolCalls.some(({ failed }) => failed)) return message
    const toolCalls = message.toolCalls.map((call, index) => {
      const fate = call.failed ? fates.get(nameOf({ message, call, index })) : undefined
      return fate === undefined ? call : { ...call, fate }
    })
    return { ...message, toolCalls }
  })
}

function toFate({ kind, worked, succeeded }: FailedRun): CallFate {
  return { kind, worked: worked && placeOfRun(worked), succeeded: succeeded && placeOfRun(succeeded) }
}

export function placeOfRun({ message, call }: Run): NonNullable<CallFate['worked']> {
  return { messageKey: message.key, timestamp: call.timestamp ?? message.timestamp }
}

/** One name for a call and its copies. */
function nameOf({ message, call, index }: Run): string {
  return call.id === '' ? `${message.copyOf ?? message.key}\n${index}` : call.id
}

function isRun(call: ToolCall): boolean {
  return call.failed || (call.status === 'success' && (!isCommand(call) || hasRunToItsEnd(call)))
}

/**
 * Whether a call is part of what happened. One that a person rewound is not, unless it is recorded again where nobody did,
 * as a rewrite of the list of messages does. What was compressed, or dropped after an abort, has happened.
 */
function standingCalls({ messages, drawnKeys }: RecordOfRuns): (run: Run) => boolean {
  const drawn = new Set(drawnKeys)
  const isGone = ({ superseded, key }: Message) =>
    (superseded === 'rewound' || superseded === 'replaced') && !drawn.has(key)
  if (!messages.some(isGone)) return () => true
  const standing = new Set<string>()
  for (const message of messages) {
    if (isGone(message)) continue
    for (const [index, call] of message.toolCalls.entries()) standing.add(nameOf({ message, call, index }))
  }
  return (run) => standing.has(nameOf(run))
}

// Those with capitals are of Antigravity CLI.
const FILE = ['file_path', 'absolute_path', 'AbsolutePath', 'TargetFile']
const FOLDER = ['dir_path', 'path', 'directory', 'SearchPath', 'DirectoryPath']

interface SubjectArguments {
  /** Tools of one kind do the same to a file, so one of them can succeed where another failed. */
  kind: string
  /** The first of these that is given names the file. */
  file?: readonly string[]
  /** The same of a folder; where none is given, it is the project's own. */
  folder?: readonly string[]
  /** The first of these that is given is the command or query. */
  text?: readonly string[]
}

const SEARCH: SubjectArguments = { kind: 'search', folder: FOLDER, text: ['pattern', 'Query'] }
const COMMAND: SubjectArguments = {
  kind: 'command',
  folder: ['dir_path', 'directory', 'Cwd'],
  text: ['command', 'CommandLine'],
}
const READ: SubjectArguments = { kind: 'read', file: FILE }
const LIST: SubjectArguments = { kind: 'list', folder: FOLDER }
const EDIT: SubjectArguments = { kind: 'edit', file: FILE }

/** What the tools of Gemini CLI and Antigravity CLI work on. Two calls of any other tool are the same only with all their arguments. */
const SUBJECTS: Readonly<Record<string, SubjectArguments>> = {
  run_shell_command: COMMAND,
  run_command: COMMAND,
  read_file: READ,
  view_file: READ,
  write_file: EDIT,
  replace: EDIT,
  write_to_file: EDIT,
  replace_file_content: EDIT,
  multi_replace_file_content: EDIT,
  list_directory: LIST,
  list_dir: LIST,
  glob: { kind: 'glob', folder: FOLDER, text: ['pattern'] },
  grep_search: SEARCH,
  search_file_content: SEARCH,
  google_web_search: { kind: 'web search', text: ['query'] },
  search_web: { kind: 'web search', text: ['query'] },
  web_fetch: { kind: 'web fetch', text: ['prompt', 'url'] },
  // there is one list: a call that was not accepted is put right by the next one that is
  write_todos: { kind: 'todos' },
}

/** A command that the shell ran. */
export function isCommand({ name }: Pick<ToolCall, 'name'>): boolean {
  return name === 'run_shell_command' || name === 'run_command'
}

/** A longer one is not worth its memory. */
const LONG_CHARS = 512

/** Equal for two calls that do the same: one command line in one folder, one tool on one file or query. */
function runSubject(call: Pick<ToolCall, 'name' | 'args'>, root: string | null): string {
  const subject = JSON.stringify(subjectOf(call, root) ?? [call.name, canonicalJson(call.args)])
  return subject.length > LONG_CHARS ? textFingerprint(subject) : subject
}

function subjectOf({ name, args }: Pick<ToolCall, 'name' | 'args'>, root: string | null): string[] | null {
  const known = Object.hasOwn(SUBJECTS, name) ? SUBJECTS[name] : undefined
  if (known === undefined) return null
  const { kind, file, folder, text } = known
  const subject = [kind]
  for (const [names, fallback] of [
    [file, undefined],
    [folder, '.'],
  ] as const) {
    if (names === undefined) continue
    const path = textArgument(args, names) ?? fallback
    if (path === undefined) return null
    subject.push(foldPath(resolveTouchedPath(path, root)))
  }
  if (text !== undefined) {
    const said = textArgument(args, text)
    if (said === undefined) return null
    // as Gemini CLI hands it to the shell
    subject.push(said.trim())
  }
  return subject
}

function textArgument(args: unknown, names: readonly string[]): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const given = names.map((name): unknown => Reflect.get(args, name))
  return given.find((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** Enough to find a root that is named at all, and few enough to be hashed at once. */
const MOST_PATHS = 50

/**
 * The folder to which the relative paths of calls are relative: proven by the `projectHash`, else the first of the
 * workspace; null where neither is recorded.
 */
export function rootOfCalls({ messages, projectHash, directories }: RootClues): string | null {
  const proven = projectHash === null ? null : findProjectPath(projectHash, JSON.stringify(pathsIn(messages)))
  return proven ?? directories[0] ?? null
}

type RootClues = Pick<Session, 'messages' | 'projectHash' | 'directories'>

function pathsIn(messages: Session['messages']): string[] {
  const paths = new Set<string>()
  for (const { toolCalls } of messages) {
    for (const { args } of toolCalls) {
      for (const names of [FILE, FOLDER]) {
        const path = textArgument(args, names)
        if (path !== undefined && isAbsolutePath(path)) paths.add(path)
        if (paths.size === MOST_PATHS) return [...paths]
      }
    }
  }
  return [...paths]
}

function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path)
}

/**
 * Keys of the messages where something failed: what steps, filters and searches for errors lead to. While a session
 * is written (`isLive`), a prompt that nothing answered may yet be.
 */
export function failedKeys(
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  { isLive = false }: { isLive?: boolean } = {},
): Set<string> {
  const { refusals, turns } = findFailures(session)
  // Also where a call is drawn a second time: a copy is what the page shows of it.
  const calls = session.messages.filter(({ toolCalls }) => toolCalls.some(({ failed }) => failed))
  return new Set([
    ...calls.map(({ key }) => key),
    ...refusals.map(({ key }) => key),
    // Where a notice says why, that is the place to go to.
    ...turns.flatMap(({ prompt, refusal }) => (refusal === null && !isLive ? prompt.key : [])),
  ])
}

/**
 * Of the calls of tools: `4 failed: 3 later succeeded, 1 still failing`, and the message with the first of them; null where
 * none failed. Of those that were rewound or replaced it says that, as they have no fate.
 */
export function failedCallsSentence(session: RecordOfRuns): { text: string; messageKey: string } | null {
  const failed = isDamagedSession(session) ? [] : recordedFailures(session.messages)
  const [first] = failed
  if (first === undefined) return null
  const judged = failedRuns(session)
  const { laterSucceeded, stillFailing, neverRerun } = countFates(judged)
  const fated = new Set(judged.map(({ run }) => run.call))
  const gone = failed.filter(({ call }) => !fated.has(call))
  const replaced = gone.filter(({ message }) => message.superseded === 'replaced').length
  const fates: [number, string][] = [
    [laterSucceeded, 'later succeeded'],
    [stillFailing, 'still failing'],
    [neverRerun, 'never rerun'],
    [gone.length - replaced, 'rewound'],
    [replaced, 'replaced'],
  ]
  const counted = fates.filter(([count]) => count > 0)
  const [[, words] = [0, '']] = counted
  const told =
    counted.length === 1 ? `, ${words}` : `: ${counted.map(([count, each]) => `${count} ${each}`).join(', ')}`
  return { text: `${failed.length} failed${told}`, messageKey: first.message.key }
}

function recordedFailures(messages: readonly Message[]) {
  const recorded = new RecordedCalls()
  return messages.flatMap((message) =>
    recorded.newIn(message).flatMap((call) => (call.failed ? { call, message } : [])),
  )
}

/** A turn that nobody took back and whose request failed. */
export interface FailedTurn {
  prompt: Message
  /** The notice that says why; null where nothing was recorded. */
  refusal: Message | null
  /** A part of an answer was recorded before. */
  isAnswered: boolean
  /** What the CLI took out of its own state because of the failure (0.57+); no person took it back. */
  dropped: Message[]
}

/** Everything that failed in a session. Here alone is said what that is. */
export interface Failures {
  /** Messages with a failed call, ever recorded; a call that a rewrite repeats counts once. */
  calls: { message: Message; count: number }[]
  /** Notices of requests that the API refused. */
  refusals: Message[]
  /** Those without any answer: of main sessions only; whether one is still being answered only who watches can tell. */
  turns: FailedTurn[]
}

/** What failed: calls of tools, requests that the API refused, and prompts without an answer. */
export function findFailures(session: Pick<Session, 'kind' | 'messages' | 'files'>): Failures {
  // A damaged file may repeat what a whole one holds, and its figures are 0 (contract rule 7).
  if (isDamagedSession(session)) return { calls: [], refusals: [], turns: [] }
  const { messages } = session
  return {
    calls: failedCalls(messages),
    refusals: messages.filter(isRefusal),
    turns: failedTurns(messages).filter(({ isAnswered }) => isAnswered || session.kind === 'main'),
  }
}

function failedCalls(messages: readonly Message[]): Failures['calls'] {
  const calls = new RecordedCalls()
  return messages.flatMap((message) => {
    const count = calls.newIn(message).filter(({ failed }) => failed).length
    return count === 0 ? [] : [{ message, count }]
  })
}

function failedTurns(messages: readonly Message[]): FailedTurn[] {
  // What goes on under a new id is judged where it goes on.
  const repeated = new Set(messages.map(({ copyOf }) => copyOf))
  const found: FailedTurn[] = []
  const starts = messages.flatMap((message, index) => (isPrompt(message) ? index : []))
  for (const [number, start] of starts.entries()) {
    const prompt = messages[start]
    if (prompt === undefined || repeated.has(prompt.key) || isTakenBack(prompt) || isForTheCli(prompt))
      continue
    const failed = judgeTurn(prompt, messages.slice(start + 1, starts[number + 1]))
    if (failed !== null) found.push(failed)
  }
  return found
}

/** null: it was answered to its end, or the person cancelled it. */
function judgeTurn(prompt: Message, others: readonly Message[]): FailedTurn | null {
  if (others.some(isCancelled)) return null
  const isAnswered = others.some(isAnswer)
  const refusal = isAnswered ? refusalAtEnd(others) : (others.find(isRefusal) ?? null)
  if (isAnswered && refusal === null) return null
  const dropped = [prompt, ...others].filter(({ superseded }) => superseded === 'aborted')
  return { prompt, refusal, isAnswered, dropped }
}

/** A request that failed and was made again ended nothing. */
function refusalAtEnd(others: readonly Message[]): Message | null {
  return others.slice(others.findLastIndex(isAnswer) + 1).find(isRefusal) ?? null
}

/** By the person. A refused request takes its prompt back as well, and that is what `aborted` alone means. */
function isTakenBack({ superseded }: Message): boolean {
  return superseded === 'rewound' || superseded === 'replaced'
}

/** Of a prompt: a command that the CLI answers itself, or what was run in shell mode. */
export function isForTheCli(prompt: Message): boolean {
  return prompt.origin === 'human' && FOR_THE_CLI.test(messageText(prompt))
}

/** The last prompt that the model was to answer, and that nobody took back. */
export function lastAsked(messages: readonly Message[]): Message | undefined {
  return messages.findLast((message) => isPrompt(message) && !isTakenBack(message) && !isForTheCli(message))
}

const FOR_THE_CLI = /^(?:\/\w|\?|I ran the following shell command:)/

function isAnswer({ origin }: Message): boolean {
  return origin === 'model' || origin === 'tool-result'
}

function isCancelled(message: Message): boolean {
  return message.origin === 'cli' && /^Request cancelled/i.test(messageText(message))
}

/** A notice that a request to the model failed. Errors of the CLI's own affairs are none: they end no request. */
export function isRefusal(message: Message): boolean {
  return message.type === 'error' && message.copyOf === null && !OWN_AFFAIR.test(messageText(message))
}

/** Updates, MCP servers, mistyped commands, extensions. */
const OWN_AFFAIR =
  /^(?:Automatic update|Auto-?update|Failed to (?:check for|install) update|Unknown command|MCP |Error during discovery|.{0,80}(?:MCP server|extension) )/i

const MAX_LENGTH = 300

/** Why a turn has no answer, or not all of one: the line that closes it. */
export function failedTurnSentence({ refusal, isAnswered }: FailedTurn): string {
  if (refusal === null) return 'No answer was recorded: the request failed or the CLI was stopped'
  return `${isAnswered ? 'Ended early' : 'No answer'}: ${refusalSentence(refusal)}`
}

/** "the API refused the request: 400 INVALID_ARGUMENT, '…'" of a notice that says so. */
function refusalSentence(notice: Message): string {
  const text = messageText(notice)
  const error = readApiError(text)
  if (error === null) return `the request failed: ‘${oneLine(text, MAX_LENGTH)}’`
  const said = error.message === '' ? '' : `‘${oneLine(error.message, MAX_LENGTH)}’`
  return `the API refused the request: ${[error.status, said].filter((part) => part !== '').join(', ')}`
}

/** What the API said when it refused a request. */
export interface GeminiApiError {
  /** `400 INVALID_ARGUMENT`; '' where neither code nor status is told. */
  status: string
  message: string
}

/**
 * Reads the notice `[API Error: {...}]`. The CLI quotes the answer's JSON as it came; on the way through a proxy or a
 * library it may be wrapped as text in another such object. null: not of this form.
 */
export function readApiError(text: string): GeminiApiError | null {
  const quoted = /\[API Error: ([\s\S]*)\]/.exec(text)?.[1]?.trim()
  if (quoted === undefined) return null
  return toApiError(quoted, MAX_WRAPS) ?? { status: '', message: quoted.replace(/\s+/g, ' ') }
}

const MAX_WRAPS = 4

function toApiError(json: string, wrapsLeft: number): GeminiApiError | null {
  const value = parse(json)
  const error = isRawObject(value) ? (value.error ?? value) : null
  if (!isRawObject(error) || typeof error.message !== 'string') return null
  const inner = wrapsLeft > 0 ? toApiError(error.message, wrapsLeft - 1) : null
  if (inner !== null) return inner
  const parts = [error.code, error.status].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  return { status: parts.join(' '), message: error.message.replace(/\s+/g, ' ').trim() }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
