import type { InFile, ParseIssue, ParseIssueCode } from '../model/issue.ts'
import type { Message, Session, ToolCall } from '../model/message.ts'
import type {
  OpenCommand,
  SessionActivity,
  SessionSummary,
  Verdict,
  VerdictKind,
} from '../model/session-summary.ts'
import { CarriedOutEdits } from './carried-out-edits.ts'
import {
  type FailedRun,
  findFailures,
  findRuns,
  type GeminiApiError,
  isCommand,
  isForTheCli,
  isRefusal,
  lastAsked,
  placeOfRun,
  type RecordOfRuns,
  type Run,
  type RunSeries,
  readApiError,
} from './failure.ts'
import {
  callLine,
  drawnMessages,
  isConversationMessage,
  isDamagedSession,
  isPrompt,
  messageText,
  oneLine,
  promptText,
  saysSomething,
} from './messages.ts'

const MAX_CALL_LENGTH = 60
const MAX_PROMPT_LENGTH = 60
const MAX_ERROR_LENGTH = 120

/** What is specific to an ending; the rest of a verdict is the same for all. */
type End = Pick<Verdict, 'kind' | 'text'> & { about?: string; at?: Message | null; isOver?: boolean }

/**
 * How a session ended, according to its record. Whether it is still being written is only known to whoever watches its files: see
 * `runningVerdict`.
 *
 * @param failed its failed runs: while a command is open the session is not finished
 */
export function sessionVerdict(session: Session, failed: readonly FailedRun[]): Verdict {
  const open = openCommand(session, failed)
  const { kind, text, about = null, at = null, isOver = false } = endOf(session, open)
  return {
    kind,
    text,
    about,
    messageKey: at?.key ?? (kind === open?.fate ? open.last.messageKey : null),
    waits: isOver ? null : waitsOf(session),
    open,
  }
}

/** The verdict for a session that is being written: what it waits for, unless its last run is over. */
export function runningVerdict(verdict: Verdict): Verdict {
  const { waits } = verdict
  if (waits === null) return verdict
  const { call } = waits
  return {
    ...verdict,
    kind: 'running',
    text: RUNNING[waits.state](call),
    about: call && bare(call),
    messageKey: null,
  }
}

const RUNNING: Record<SessionActivity['state'], (call: string | null) => string> = {
  asked: () => 'Running: waiting for the model',
  calling: (call) => (call === null ? 'Running: a tool, or waiting for your approval' : `Running: ${call}`),
  answered: () => 'Waiting for you',
  silent: () => 'Running',
}

/** `outcome` of a row, a simpler form of the same. `isUnread`: nothing in its files counts. */
export function outcomeOf(
  { kind, text, messageKey, open, about }: Verdict,
  { isRunning = false, isUnread = false }: { isRunning?: boolean; isUnread?: boolean } = {},
): NonNullable<SessionSummary['outcome']> {
  if (isRunning) return { kind: 'live', text, messageKey: null }
  if (isUnread) return { kind: 'empty', text, messageKey }
  const fate = open !== null && kind === open.fate ? { fate: open.fate } : {}
  const isPrompted = kind === 'noReply' && about === null
  return { kind: isPrompted ? 'unanswered' : OUTCOMES[kind], ...fate, text, messageKey }
}

const OUTCOMES: Record<VerdictKind, NonNullable<SessionSummary['outcome']>['kind']> = {
  damaged: 'stopped',
  empty: 'empty',
  none: 'finished',
  running: 'live',
  apiError: 'error',
  noReply: 'stopped',
  declined: 'stopped',
  stopped: 'stopped',
  midAnswer: 'stopped',
  stillFailing: 'error',
  neverRerun: 'error',
  finished: 'finished',
}

/** `ended` of a row, the simplest form. */
export function endedOf({ kind, waits }: Verdict): SessionSummary['ended'] {
  if (kind === 'apiError') return 'error'
  if (kind === 'noReply' && waits === null) return 'stopped'
  return kind === 'stopped' || kind === 'declined' || kind === 'midAnswer' ? 'stopped' : null
}

function endOf(session: Session, open: OpenCommand | null): End {
  const openEnd: End | null = open && { kind: open.fate, text: open.text, about: open.command }
  const isShown = session.messages.length > 0
  if (isDamagedSession(session)) {
    const issue = session.issues.find(({ code }) => DAMAGES.has(code)) ?? session.issues[0]
    return { kind: 'damaged', text: damagedText(issue, { isShown, isCounted: false }) }
  }
  if (!session.messages.some(isConversationMessage)) return { kind: 'empty', text: 'No messages' }
  if (session.kind === 'checkpoint') return openEnd ?? { kind: 'none', text: 'Saved chat' }
  if (session.kind === 'prompts-only') return { kind: 'none', text: 'Only the prompts are recorded' }
  const torn = tornEnd(session)
  if (torn !== null) return { kind: 'damaged', text: damagedText(torn, { isShown, isCounted: true }) }
  return errorEnd(session) ?? stoppedEnd(session) ?? openEnd ?? finishedEnd(session)
}

const DAMAGES: ReadonlySet<ParseIssueCode> = new Set([
  'empty-file',
  'truncated-json',
  'broken-json',
  'text-behind',
  'nothing-whole',
  'torn-tail',
  'utf-16',
])

/** An unreadable part after the last message of a log: it may have been the real end. */
function tornEnd({ issues, messages }: Session): InFile<ParseIssue> | null {
  const last = messages.at(-1)?.source
  if (last?.line === undefined) return null
  const { file, line } = last
  return (
    issues.findLast(({ code, at, file: its }) => {
      if (its !== file || (code !== 'torn-tail' && code !== 'bad-line')) return false
      return Number(/^line (\d+)$/.exec(at)?.[1] ?? 0) > line
    }) ?? null
  )
}

function errorEnd(session: Session): End | null {
  const { turns, refusals } = findFailures(session)
  const last = turns.at(-1)
  if (last !== undefined && last.prompt === lastAsked(session.messages)) {
    if (last.refusal !== null) return apiError(last.refusal)
    const { prompt } = last
    const asked = oneLine(promptText(prompt), MAX_PROMPT_LENGTH)
    const text = asked === '' ? 'No reply' : `No reply after “${asked}”`
    return { kind: 'noReply', text, at: prompt, isOver: prompt.superseded === 'aborted' }
  }
  const refusal = refusals.at(-1)
  return refusal !== undefined && lastWord(session.messages)?.end === 'error' ? apiError(refusal) : null
}

/** Shortened: the API's full message is in the notice. */
function apiError(refusal: Message): End {
  const text = messageText(refusal)
  const error = readApiError(text)
  const about = oneLine(error === null ? text : shortError(error), MAX_ERROR_LENGTH)
  return { kind: 'apiError', text: `API error: ${about}`, about, at: refusal, isOver: true }
}

/** `429 quota exceeded`, `400 INVALID_ARGUMENT`; the message if there is no code. */
function shortError({ status, message }: GeminiApiError): string {
  if (/^429\b/.test(status) && QUOTA.test(message)) return '429 quota exceeded'
  return status || message
}

const QUOTA = /quota (?:exceeded|will reset)|exceeded your (?:current )?quota|exhausted your/i

function stoppedEnd(session: Session): End | null {
  const last = drawnMessages(session).findLast((each) => isConversationMessage(each) && !isForTheCli(each))
  const calls = last?.toolCalls ?? []
  const open = calls.findLast(({ status }) => status === 'cancelled') ?? calls.findLast(isUnderWay)
  if (last !== undefined && open !== undefined) return openCall(last, open)
  const word = lastWord(session.messages)
  if (word?.end === 'stopped') {
    const isMid = word.isCut || isPartlyAnswered(session.messages)
    const [kind, text] = isMid
      ? (['midAnswer', 'Stopped mid-answer'] as const)
      : (['stopped', 'Stopped'] as const)
    return { kind, text, at: word.message, isOver: true }
  }
  if (last?.origin !== 'model') return null
  // results are sent back to the model
  const done = calls.at(-1)
  if (done !== undefined && !endsTask(session, done))
    return {
      kind: 'noReply',
      text: `No reply after ${nameCall(done)}`,
      about: bare(nameCall(done)),
      at: last,
    }
  // Thoughts without an answer: nothing shows that an answer had begun.
  const isSilent = calls.length === 0 && !saysSomething(last)
  return isSilent ? { kind: 'noReply', text: 'No reply after thinking', about: 'thinking', at: last } : null
}

/** A sub-agent ends with a specific call. */
function endsTask({ kind }: Session, { name }: ToolCall): boolean {
  return kind === 'subagent' && name === 'complete_task'
}

/** A call that was declined, cancelled, or has no result. The CLI does not ask the model again if no call was carried out. */
function openCall(message: Message, call: ToolCall): End {
  const name = nameCall(call)
  const about = bare(name)
  if (call.status !== 'cancelled')
    return { kind: 'noReply', text: `No reply after ${name}`, about, at: message }
  const isOver = message.toolCalls.every(({ status }) => status === 'cancelled')
  return isDeclined(call)
    ? { kind: 'declined', text: `You declined ${name}`, about, at: message, isOver }
    : { kind: 'stopped', text: `Stopped: ${name}`, about, at: message, isOver }
}

function isDeclined({ output }: ToolCall): boolean {
  return output.kind === 'error' && /User (?:denied|did not allow|rejected)/i.test(output.text)
}

/** `npm test` in backticks, `WriteFile (src/a.ts)` */
function nameCall(call: ToolCall): string {
  const line = oneLine(callLine(call), MAX_CALL_LENGTH)
  const name = call.displayName ?? call.name
  if (line === '') return name
  return isCommand(call) ? `\`${line}\`` : `${name} (${line})`
}

function bare(name: string): string {
  return name.replace(/^`(.*)`$/s, '$1')
}

function finishedEnd(session: Session): End {
  const answer = drawnMessages(session).findLast(({ origin, content }) => {
    return origin === 'model' && content.some((part) => part.kind === 'text' && /\S/.test(part.text))
  })
  if (answer === undefined) {
    const done = drawnMessages(session).findLast(isConversationMessage)?.toolCalls.at(-1)
    const isDone = done !== undefined && endsTask(session, done)
    return isDone ? { kind: 'finished', text: 'Finished' } : { kind: 'none', text: 'No answer is recorded' }
  }
  const sentence = firstSentence(messageText(answer))
  if (sentence === '') return { kind: 'finished', text: 'Finished', at: answer }
  return { kind: 'finished', text: `Finished. ${sentence}`, about: sentence, at: answer }
}

interface LastWord {
  end: 'stopped' | 'error'
  message: Message
  /** A notice marks the answer as cut. */
  isCut: boolean
}

/** The notice of an error, a cancelled or cut answer, or an aborted request at the very end. Skips other notices. */
function lastWord(messages: readonly Message[]): LastWord | null {
  for (const message of messages.toReversed()) {
    const text = messageText(message)
    // After an abort the remaining history is recorded again at the end, as copies.
    if (message.superseded === 'rewound' || message.copyOf !== null) continue
    if (message.superseded === 'aborted') return { end: 'stopped', message, isCut: false }
    if (message.type === 'error' && isRefusal(message)) return { end: 'error', message, isCut: false }
    if (message.origin === 'cli' && STOPPED.test(text))
      return { end: 'stopped', message, isCut: !CANCELLED.test(text) }
    if (isConversationMessage(message) && !(isPrompt(message) && isForTheCli(message))) return null
  }
  return null
}

const CANCELLED = /^Request cancelled/i
const STOPPED = /^Request cancelled|^Response (?:truncated|stopped) due to/i

/** The model had begun to answer the last prompt with text. */
function isPartlyAnswered(messages: readonly Message[]): boolean {
  const last = messages.findLast(
    (message) =>
      isConversationMessage(message) && message.superseded !== 'rewound' && message.copyOf === null,
  )
  return last?.origin === 'model' && last.toolCalls.length === 0 && saysSomething(last)
}

function waitsOf(session: Session): NonNullable<Verdict['waits']> {
  const { messages } = session
  const activity = findActivity(messages)
  const call =
    activity.state === 'calling'
      ? messages
          .findLast(({ superseded, origin }) => superseded === null && origin === 'model')
          ?.toolCalls.find(isUnderWay)
      : undefined
  return { ...activity, call: call === undefined ? null : nameCall(call) }
}

/** The activity shown by the last records of a session. */
export function findActivity(messages: readonly Message[]): SessionActivity {
  const isLive = ({ superseded }: Message) => superseded === null
  const last = messages.findLast((message) => isLive(message) && isTalk(message))
  const since = messages.findLast((message) => isLive(message) && message.timestamp !== null)?.timestamp
  return { state: last === undefined ? 'silent' : stateAfter(last), since: since ?? null }
}

/** Excludes notices and the context added by the CLI. */
function isTalk({ origin, agentKey }: Message): boolean {
  return origin === 'human' || origin === 'model' || origin === 'tool-result' || agentKey !== null
}

function stateAfter(last: Message): SessionActivity['state'] {
  // a sub-agent's messages are in its parent's file while its call is in progress
  if (last.agentKey !== null) return 'calling'
  if (last.origin !== 'model') return 'asked'
  if (last.toolCalls.some(isUnderWay)) return 'calling'
  // the results of finished calls are sent back to the model
  if (last.toolCalls.length > 0) return 'asked'
  return saysSomething(last) ? 'answered' : 'calling'
}

/** No result is recorded yet, whatever its status. */
function isUnderWay({ status }: Message['toolCalls'][number]): boolean {
  return !FINISHED.has(status)
}

const FINISHED = new Set(['success', 'error', 'cancelled'])

/** Searches only this much for the first sentence; an answer can have megabytes. */
const MAX_LOOKED_AT = 4_000

const MAX_LENGTH = 120

/** "Done." is not informative, so the next sentence is included. */
const MIN_TELLING_LENGTH = 9

let segmenter: Intl.Segmenter | null = null

/** The first sentence of an answer in Markdown, without markup; '' if it has no prose. Skips code and tables. */
function firstSentence(markdown: string): string {
  const lines = markdown
    .slice(0, MAX_LOOKED_AT)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*\|/.test(line))
  const line = lines.find((each) => !/^\s*#/.test(each)) ?? lines[0]
  if (line === undefined) return ''
  const [first = '', second = ''] = sentencesOf(withoutMarks(line))
  return oneLine(first.trim().length < MIN_TELLING_LENGTH ? first + second : first, MAX_LENGTH)
}

function sentencesOf(line: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(line)) {
    sentences.push(segment)
    if (sentences.length === 2) break
  }
  return sentences
}

/** Replaces headings, list marks, emphasis, code and links by their text. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d{1,3}[.)])\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|`+/g, '')
    .replace(/(^|\s)[*_](\S(?:.*?\S)?)[*_](?=\W|$)/g, '$1$2')
}

const MAX_COMMAND_LENGTH = 200

/** The open command among these failed runs: the last one that still fails, else the last that was never rerun. null: none. */
function openCommand(session: RecordOfRuns, failed: readonly FailedRun[]): OpenCommand | null {
  // for each command only its last run, which is the open one if any is
  const open = failed.filter(({ run, series, kind }) => {
    return kind !== 'laterSucceeded' && isCommand(run.call) && run === series.at(-1)
  })
  const still = open.filter(({ kind }) => kind === 'stillFailing')
  const openEnd = still.length > 0 ? still : open
  const last = openEnd.at(-1)
  if (last === undefined) return null
  const { run, series, worked } = last
  const first = series[worked === null ? 0 : series.indexOf(worked) + 1] ?? run
  const said = {
    fate: still.length > 0 ? ('stillFailing' as const) : ('neverRerun' as const),
    command: commandLine(run),
    exitCode: run.call.exitCode,
    others: openEnd.length - 1,
  }
  return {
    ...said,
    text: openText(said),
    worked: worked && placeOfRun(worked),
    failed: placeOfRun(first),
    last: placeOfRun(run),
    edits: worked && new CarriedOutEdits(session, null).between(worked, first),
    passedLater: passedLater(session, run),
  }
}

function commandLine({ call }: Run): string {
  return oneLine(callLine(call), MAX_COMMAND_LENGTH)
}

function passedLater(session: RecordOfRuns, after: Run): string | null {
  const run = widerRuns(session, after).at(-1)?.at(-1)
  return run === undefined ? null : commandLine(run)
}

/**
 * `npm test`, if `npm test -- price cart` failed: commands whose last run succeeded after this one, and whose line is a prefix of this one.
 * A single word would prove too little.
 */
export function widerRuns(session: RecordOfRuns, after: Run): RunSeries[] {
  const failed = commandLine(after)
  const isAfter = isLaterThan(session, after)
  return findRuns(session).filter((series) => {
    const run = series.at(-1)
    if (run === undefined || run.call.failed || !isCommand(run.call) || !isAfter(run)) return false
    const line = commandLine(run)
    return line.includes(' ') && failed.startsWith(`${line} `)
  })
}

/** Whether a run comes later in the record than this one. */
export function isLaterThan(session: RecordOfRuns, after: Run): (run: Run) => boolean {
  const places = new Map(session.messages.map((message, place) => [message, place]))
  return ({ message, index }) => {
    const [place = 0, its = 0] = [places.get(message), places.get(after.message)]
    return place > its || (place === its && index > after.index)
  }
}

/** The only place that builds the sentence of a verdict. */

const MAX_TEXT_COMMAND_LENGTH = 60

/** `Still failing: npm test (exit 1)`, or how many were never rerun, with the last of them. */
function openText({
  fate,
  command,
  exitCode,
  others,
}: Pick<OpenCommand, 'fate' | 'command' | 'exitCode' | 'others'>): string {
  const exit = exitCode === null ? '' : ` (exit ${exitCode})`
  const last = `\`${oneLine(command, MAX_TEXT_COMMAND_LENGTH)}\`${exit}`
  if (fate === 'neverRerun') {
    const commands = others === 0 ? '1 failed command was' : `${others + 1} failed commands were`
    return `${commands} never rerun. Last: ${last}`
  }
  const more = others === 0 ? '' : `, and ${others} more ${others === 1 ? 'command' : 'commands'}`
  return `Still failing: ${last}${more}`
}

/** For a session whose file cannot be read to its end. `isCounted`: the readable part counts in totals. */
function damagedText(
  issue: InFile<ParseIssue> | undefined,
  { isShown, isCounted }: { isShown: boolean; isCounted: boolean },
): string {
  const where = issue === undefined || issue.at === '' ? '' : withCommas(issue.at)
  const isWhole = issue?.code === 'text-behind' || issue?.code === 'utf-16'
  const shown = isWhole ? 'Its messages are shown' : 'Messages before that are shown'
  const rest = isShown ? `. ${shown}${isCounted ? '' : '; not counted in totals'}` : ''
  return `Damaged file: ${damageOf(issue?.code, where)}${rest}`
}

function damageOf(code: ParseIssue['code'] | undefined, where: string): string {
  switch (code) {
    case 'empty-file':
      return 'it is empty'
    case 'truncated-json':
    case 'nothing-whole':
    case 'torn-tail':
      return where === ''
        ? 'not one message is whole'
        : `cut off ${where.startsWith('byte') ? 'at' : 'in'} ${where}`
    case 'broken-json':
      return 'its JSON breaks off'
    case 'text-behind':
      return 'something else follows the session'
    case 'utf-16':
      return 'it is written in UTF-16'
    case 'bad-line':
      return `${where} can’t be read`
    default:
      return 'it can’t be read'
  }
}

function withCommas(place: string): string {
  return place.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',')
}
