import type { Message, Session, ToolCall } from '../model/message.ts'
import type { CallFate, FailureFate, FateCounts } from '../model/session-summary.ts'
import { hasRunToItsEnd } from '../parse/lift/calls.ts'
import { textFingerprint } from '../parse/text-fingerprint.ts'
import { isRawObject } from '../raw.ts'
import { resolveTouchedPath } from './find-file-calls.ts'
import { canonicalJson, isDamagedSession, isPrompt, messageText, oneLine, RecordedCalls } from './messages.ts'
import { findProjectPath, foldPath } from './path-spellings.ts'

/** A call that succeeded or failed, and was not rewound. */
export interface Run {
  message: Message
  call: ToolCall
  /** Index among the calls of its message. */
  index: number
}

/** All runs of one command in one folder, or of one tool on one file or query, in reading order. */
export type RunSeries = readonly Run[]

/** A failed run and its fate, which is only decided here. */
export interface FailedRun {
  run: Run
  series: RunSeries
  kind: FailureFate
  /** The last successful run before it. */
  worked: Run | null
  /** The first successful run after it. */
  succeeded: Run | null
}

/** The parts of a session needed to find its runs; none of its large texts. */
export type RecordOfRuns = Pick<Session, 'messages' | 'files' | 'drawnKeys' | 'projectHash' | 'directories'>

/**
 * All runs of a session, by what was run, the most recent last. Calls that were declined, cancelled or only started are not runs, nor are
 * copies. Runs of a sub-agent in its parent's file are separate series.
 */
export function findRuns(session: RecordOfRuns): RunSeries[] {
  // A damaged file may repeat content of an intact one, and its figures are 0 (contract rule 7).
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
      // move to the end
      series.delete(key)
      series.set(key, runs)
    }
  }
  return [...series.values()]
}

/**
 * The failed calls of a session that were not rewound, in reading order, with their fates: later succeeded if a later run of the same
 * succeeded; else never rerun if it is the only run, and still failing if there are others.
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

/** Counts by fate. */
export function countFates(failed: readonly FailedRun[]): FateCounts {
  const counts: FateCounts = { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 }
  for (const { kind } of failed) counts[kind] += 1
  return counts
}

/** The same messages, with `fate` set on the failed calls of the session, including copies. */
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

/** The same for a call and its copies. */
function nameOf({ message, call, index }: Run): string {
  return call.id === '' ? `${message.copyOf ?? message.key}\n${index}` : call.id
}

function isRun(call: ToolCall): boolean {
  return call.failed || (call.status === 'success' && (!isCommand(call) || hasRunToItsEnd(call)))
}

/**
 * Whether a call counts as having happened. A rewound one does not, unless it is also recorded elsewhere without a rewind, as when the list
 * of messages is rewritten. Calls that were compressed, or dropped after an abort, have happened.
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

// Capitalized names are from Antigravity CLI.
const FILE = ['file_path', 'absolute_path', 'AbsolutePath', 'TargetFile']
const FOLDER = ['dir_path', 'path', 'directory', 'SearchPath', 'DirectoryPath']

interface SubjectArguments {
  /** Tools of one kind do the same to a file, so one can succeed where another failed. */
  kind: string
  /** The first of these that is set is the file. */
  file?: readonly string[]
  /** The same for a folder; by default it is the project's. */
  folder?: readonly string[]
  /** The first of these that is set is the command or query. */
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

/** The subject of the tools of Gemini CLI and Antigravity CLI. Two calls of any other tool are the same only if all their arguments are. */
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
  // there is only one list: a rejected call is corrected by the next accepted one
  write_todos: { kind: 'todos' },
}

/** A command run by the shell. */
export function isCommand({ name }: Pick<ToolCall, 'name'>): boolean {
  return name === 'run_shell_command' || name === 'run_command'
}

/** Longer subjects are hashed to save memory. */
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
    // as Gemini CLI passes it to the shell
    subject.push(said.trim())
  }
  return subject
}

function textArgument(args: unknown, names: readonly string[]): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const given = names.map((name): unknown => Reflect.get(args, name))
  return given.find((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** Enough to find a root if one is named, and few enough to hash at once. */
const MOST_PATHS = 50

/**
 * The base folder of relative paths in calls: proven by the `projectHash`, else the first folder of the workspace; null if neither is
 * recorded.
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
 * Keys of the messages where something failed: targets of steps, filters and searches for errors. While a session is being written
 * (`isLive`), an unanswered prompt may still be answered.
 */
export function failedKeys(
  session: Pick<Session, 'kind' | 'messages' | 'files'>,
  { isLive = false }: { isLive?: boolean } = {},
): Set<string> {
  const { refusals, turns } = findFailures(session)
  // Including copies: the page shows the copy.
  const calls = session.messages.filter(({ toolCalls }) => toolCalls.some(({ failed }) => failed))
  return new Set([
    ...calls.map(({ key }) => key),
    ...refusals.map(({ key }) => key),
    // If a notice gives the reason, it is the target.
    ...turns.flatMap(({ prompt, refusal }) => (refusal === null && !isLive ? prompt.key : [])),
  ])
}

/**
 * Summary of the failed tool calls: `4 failed: 3 later succeeded, 1 still failing`, and the message with the first of them; null if none.
 * Mentions rewound or replaced ones as such, since they have no fate.
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
  const outcomes =
    counted.length === 1 ? `, ${words}` : `: ${counted.map(([count, each]) => `${count} ${each}`).join(', ')}`
  return { text: `${failed.length} failed${outcomes}`, messageKey: first.message.key }
}

function recordedFailures(messages: readonly Message[]) {
  const recorded = new RecordedCalls()
  return messages.flatMap((message) =>
    recorded.newIn(message).flatMap((call) => (call.failed ? { call, message } : [])),
  )
}

/** A turn that was not rewound and whose request failed. */
export interface FailedTurn {
  prompt: Message
  /** The notice with the reason; null if none was recorded. */
  refusal: Message | null
  /** Part of an answer was recorded before. */
  isAnswered: boolean
  /** What the CLI removed from its own state because of the failure (0.57+), not the user. */
  dropped: Message[]
}

/** Everything that failed in a session, which is only decided here. */
export interface Failures {
  /** Messages with a failed call, ever recorded; a call repeated by a rewrite counts once. */
  calls: { message: Message; count: number }[]
  /** Notices of requests refused by the API. */
  refusals: Message[]
  /**
   * For turns without any answer: only in main sessions; whether one is still being answered is only known to whoever watches the files.
   */
  turns: FailedTurn[]
}

/** What failed: tool calls, requests refused by the API, and prompts without an answer. */
export function findFailures(session: Pick<Session, 'kind' | 'messages' | 'files'>): Failures {
  // A damaged file may repeat content of an intact one, and its figures are 0 (contract rule 7).
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
  // A turn that continues under a new id is judged there.
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

/** null: it was fully answered, or the user cancelled it. */
function judgeTurn(prompt: Message, others: readonly Message[]): FailedTurn | null {
  if (others.some(isCancelled)) return null
  const isAnswered = others.some(isAnswer)
  const refusal = isAnswered ? refusalAtEnd(others) : (others.find(isRefusal) ?? null)
  if (isAnswered && refusal === null) return null
  const dropped = [prompt, ...others].filter(({ superseded }) => superseded === 'aborted')
  return { prompt, refusal, isAnswered, dropped }
}

/** A failed request that was repeated successfully did not end the turn. */
function refusalAtEnd(others: readonly Message[]): Message | null {
  return others.slice(others.findLastIndex(isAnswer) + 1).find(isRefusal) ?? null
}

/** By the user. A refused request also drops its prompt, which is `aborted` alone. */
function isTakenBack({ superseded }: Message): boolean {
  return superseded === 'rewound' || superseded === 'replaced'
}

/** A prompt that the CLI handles itself: a command, or one run in shell mode. */
export function isForTheCli(prompt: Message): boolean {
  return prompt.origin === 'human' && FOR_THE_CLI.test(messageText(prompt))
}

/** The last prompt to the model that was not rewound or replaced. */
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

/** A notice that a request to the model failed. Internal errors of the CLI do not count: they end no request. */
export function isRefusal(message: Message): boolean {
  return message.type === 'error' && message.copyOf === null && !OWN_AFFAIR.test(messageText(message))
}

/** Updates, MCP servers, mistyped commands, extensions. */
const OWN_AFFAIR =
  /^(?:Automatic update|Auto-?update|Failed to (?:check for|install) update|Unknown command|MCP |Error during discovery|.{0,80}(?:MCP server|extension) )/i

const MAX_LENGTH = 300

/** Why a turn has no answer or only a partial one: the line that closes it. */
export function failedTurnSentence({ refusal, isAnswered }: FailedTurn): string {
  if (refusal === null) return 'No answer was recorded: the request failed or the program was stopped'
  return `${isAnswered ? 'Ended early' : 'No answer'}: ${refusalSentence(refusal)}`
}

/** "the API refused the request: 400 INVALID_ARGUMENT, '…'" for a notice of that form. */
function refusalSentence(notice: Message): string {
  const text = messageText(notice)
  const error = readApiError(text)
  if (error === null) return `the request failed: ‘${oneLine(text, MAX_LENGTH)}’`
  const said = error.message === '' ? '' : `‘${oneLine(error.message, MAX_LENGTH)}’`
  return `the API refused the request: ${[error.status, said].filter((part) => part !== '').join(', ')}`
}

/** The API's message when it refused a request. */
export interface GeminiApiError {
  /** `400 INVALID_ARGUMENT`; '' if it has neither code nor status. */
  status: string
  message: string
}

/**
 * Parses the notice `[API Error: {...}]`. The CLI quotes the answer's JSON as received; a proxy or a library may have wrapped it as text in
 * another such object. null: not of this form.
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
