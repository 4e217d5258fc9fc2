import { askedQuestions } from '@gemini-dash/api/asked-questions'
import type { Part, ToolCall, ToolOutput } from 'gemini-sessions'
import { formatCount, formatPlural, formatSize } from '../../../lib/figures.ts'
import {
  agentReport,
  listResult,
  matchCount,
  planAnswer,
  searchResult,
  unwrapUntrusted,
  webResult,
} from './results.ts'
import { numberArgument, type ToolKind, textArgument, toolKind } from './tool-argument.ts'

export interface ToolOutcome {
  /** stopped: cut short by a limit or a signal; background: still running. */
  state: 'success' | 'failed' | 'running' | 'waiting' | 'cancelled' | 'stopped' | 'background' | 'unanswered'
  /** `34 lines`, `Failed, exit 1`, `No result` */
  word: string
}

/** Test summaries are at the end of the output. */
const TAIL_LENGTH = 2_000
const RUNNING = new Set(['validating', 'scheduled', 'executing', 'running', 'pending'])

/** How a tool call ended. `isPending`: it is the last one of a session that is being written. */
export function toolOutcome(call: ToolCall, isPending = false): ToolOutcome {
  if (call.status === 'cancelled') return { state: 'cancelled', word: cancelWord(call) }
  if (call.failed) return { state: 'failed', word: failureWord(call) }
  if (call.status === 'success') return successOutcome(call, toolKind(call))
  if (call.status === 'awaiting_approval') return { state: 'waiting', word: 'Waiting for approval' }
  if (call.status === 'unanswered' || RUNNING.has(call.status)) {
    return isPending ? { state: 'running', word: 'Running' } : { state: 'unanswered', word: 'No result' }
  }
  return { state: 'unanswered', word: call.status || 'No result' }
}

/** Distinguishes calls that the user declined from those they cancelled. */
function cancelWord(call: ToolCall): string {
  const text = 'text' in call.output ? call.output.text.slice(0, 400) : ''
  return /denied|declined|did not allow|rejected/i.test(text) ? 'Declined' : 'Cancelled'
}

function failureWord(call: ToolCall): string {
  if (call.exitCode !== null) return `Failed, exit ${call.exitCode}`
  return failureWords(call)?.word ?? 'Failed'
}

function successOutcome(call: ToolCall, kind: ToolKind): ToolOutcome {
  const special = kind === 'shell' ? shellOutcome(call) : kind === 'subagent' ? agentOutcome(call) : null
  if (special !== null) return special
  const answer = kind === 'ask' || kind === 'plan' ? answerOutcome(call, kind) : null
  return answer ?? { state: 'success', word: successWord(call, kind) }
}

function shellOutcome(call: ToolCall): ToolOutcome | null {
  const { ending, signal } = shellResult(call)
  if (ending === 'background') return { state: 'background', word: 'In background' }
  if (ending === 'timeout') return { state: 'stopped', word: 'Timed out' }
  if (ending === 'cancelled') return { state: 'cancelled', word: 'Cancelled' }
  return signal === '' ? null : { state: 'stopped', word: `Ended by ${signal}` }
}

/** `GOAL` is the intended end; any other reason is a limit. */
function agentOutcome(call: ToolCall): ToolOutcome | null {
  const { display, output } = call
  const reason =
    display?.kind === 'subagent'
      ? display.terminateReason
      : agentReport('text' in output ? output.text : '')?.reason
  const ending = agentEnding(reason)
  return ending === null ? null : { state: 'stopped', word: ending.word }
}

function answerOutcome(call: ToolCall, kind: 'ask' | 'plan'): ToolOutcome | null {
  const text = 'text' in call.output ? call.output.text : ''
  if (kind === 'ask') {
    const isAnswered = askedQuestions(call).some(({ answer }) => answer !== null)
    if (isAnswered) return { state: 'success', word: 'Answered' }
    return /dismissed|without answering/i.test(text) ? { state: 'cancelled', word: 'Not answered' } : null
  }
  const answer = planAnswer(text)
  if (answer === null) return null
  if (answer.state === 'approved') return { state: 'success', word: 'Approved' }
  return { state: 'cancelled', word: answer.state === 'rejected' ? 'Rejected' : 'Not approved' }
}

function successWord(call: ToolCall, kind: ToolKind): string {
  const { display, output } = call
  if (display?.kind === 'diff') return diffWord(display)
  if (display?.kind === 'search') return searchWord(display)
  const picture = findPicture(call)
  if (picture !== undefined) return pictureWord(picture)
  const text = output.kind === 'text' && output.cut === undefined ? output.text : null
  switch (kind) {
    case 'shell':
      return passedTests(call) ?? (call.exitCode === null ? 'Done' : `exit ${call.exitCode}`)
    case 'search':
      return text === null ? countWord(call) : searchWord(searchResult(text))
    case 'folder':
    case 'find':
    case 'read-many':
      return listWord(call, kind, text)
    case 'read':
      return text === null ? 'Done' : lineWord(readResult(call, text).text)
    case 'web':
      return webWord(call)
    case 'memory':
      return 'Saved'
    case 'skill':
      return 'Active'
    case 'edit':
    case 'write':
      return 'Applied'
    default:
      return 'Done'
  }
}

/** The count in a test runner's last lines: `121 passed`; null if there is none. */
function passedTests(call: ToolCall): string | null {
  const end = shellResult(call).printed.slice(-TAIL_LENGTH)
  const counted = [...end.matchAll(/(?:^|[\s=])(\d+) pass(?:ed|ing)\b/g)].at(-1)?.[1]
  return counted === undefined ? null : `${formatCount(Number(counted))} passed`
}

function diffWord({
  isNewFile,
  linesAdded,
  linesRemoved,
  fileDiff,
  isRebuilt,
}: Extract<ToolOutput, { kind: 'diff' }>) {
  if (isNewFile) return 'New file'
  if (linesAdded + linesRemoved === 0 && fileDiff !== '') return 'No change'
  return isRebuilt || linesAdded + linesRemoved > 0 ? 'Applied' : 'Done'
}

function searchWord(search: Extract<ToolOutput, { kind: 'search' }> | null): string {
  if (search === null) return 'Done'
  const found = search.matches.filter((match) => !match.isContext)
  const files = new Set(found.map((match) => match.filePath)).size
  if (found.length === 0) return 'No matches'
  if (found.every((match) => match.lineNumber === null)) return formatPlural(files, 'file')
  const matches = `${formatPlural(found.length, 'match', 'matches')}${search.cut === undefined ? '' : '+'}`
  return files > 1 ? `${matches} in ${formatPlural(files, 'file')}` : matches
}

/** For a truncated result: the count in its first line. */
function countWord({ output }: ToolCall): string {
  const recorded = 'text' in output ? matchCount(output.text) : null
  return recorded === null ? 'Done' : formatPlural(recorded, 'match', 'matches')
}

function listWord({ display, extraParts }: ToolCall, kind: ToolKind, text: string | null): string {
  const one = kind === 'folder' ? 'item' : 'file'
  if (display?.kind === 'list') return formatPlural(display.files.length, one)
  if (kind === 'read-many') {
    const files = extraParts.filter((part) => part.kind === 'text').length
    return files === 0 ? 'Done' : formatPlural(files, one)
  }
  const listed = listResult(text ?? '')
  if (listed === null) return 'Done'
  return listed.paths.length === 0 ? `No ${one}s` : formatPlural(listed.paths.length, one)
}

function webWord({ output }: ToolCall): string {
  if (output.kind !== 'text') return 'Done'
  const { sources } = webResult(output.text)
  if (sources.length > 0) return formatPlural(sources.length, 'source')
  return formatSize(output.cut?.sizeBytes ?? output.text.length)
}

type Picture = Extract<ToolOutput, { kind: 'image' }> | Extract<Part, { kind: 'image' }>

/** The picture returned by a tool call, as its result or beside a text that mentions it. */
function findPicture(call: ToolCall): Picture | undefined {
  return [call.display, call.output, ...call.extraParts].find((each) => each?.kind === 'image')
}

function pictureWord({ mimeType, sizeBytes }: Picture): string {
  const type = mimeType.replace(/^image\//, '').toUpperCase()
  return sizeBytes === null ? type : `${type}, ${formatSize(sizeBytes)}`
}

function lineWord(text: string): string {
  return formatPlural(text.replace(/\n$/, '').split('\n').length, 'line')
}

const ENDINGS: Record<string, [word: string, sentence: string]> = {
  MAX_TURNS: ['Turn limit', 'Ended before its goal, at its limit of turns.'],
  TIMEOUT: ['Timed out', 'Ended before its goal, at its limit of time.'],
  ABORTED: ['Cancelled', 'Cancelled before its goal.'],
  ERROR: ['Failed', 'Ended by an error.'],
  ERROR_NO_COMPLETE_TASK_CALL: ['No report', 'Ended without handing over a report.'],
}

/** How a sub-agent ended short of its goal, by the recorded reason; null if it reached it or the reason is unknown. */
export function agentEnding(reason: string | null | undefined): { word: string; sentence: string } | null {
  if (reason === null || reason === undefined || reason === '' || reason === 'GOAL') return null
  const known = Object.hasOwn(ENDINGS, reason) ? ENDINGS[reason] : undefined
  const [word, sentence] = known ?? [reason, `Ended before its goal: ${reason}`]
  return { word, sentence }
}

interface FailureWords {
  /** For the head of a card. */
  word: string
  /** What happened, in plain words. */
  sentence: string
}

/** The CLI's error messages, in the wording of its versions, and what they mean. */
const KNOWN: [pattern: RegExp, words: FailureWords][] = [
  [
    /0 occurrences found|could not find the string to replace|could not find an exact match/i,
    { word: 'No match', sentence: 'Text not found, nothing changed' },
  ],
  [
    /expected \d+ occurrences? but found \d+/i,
    {
      word: 'Not unique',
      sentence:
        'The text to be replaced is in the file more often than was expected, so nothing was changed.',
    },
  ],
  [
    /no changes to apply|old_string and new_string are identical/i,
    { word: 'No change', sentence: 'The new text is the same as the old one.' },
  ],
  [
    /not found in registry|^Tool "[^"]*" not found/i,
    { word: 'No such tool', sentence: 'Gemini CLI has no tool of this name.' },
  ],
  [
    /denied by policy/i,
    { word: 'Denied by policy', sentence: 'A policy of Gemini CLI did not allow this call.' },
  ],
  [
    /not in workspace|must be within|outside (?:of )?the (?:allowed )?workspace|resolves outside/i,
    { word: 'Outside', sentence: 'The path is outside the folders that Gemini CLI may use.' },
  ],
  [
    /ignored by configured ignore patterns/i,
    { word: 'Ignored', sentence: 'The file is ignored by the project’s ignore patterns.' },
  ],
  [
    /file not found|path does not exist|no such file|directory not found/i,
    { word: 'Not found', sentence: 'There is no such file or folder.' },
  ],
  [
    /\[blocked host\]|blocked or private host/i,
    { word: 'Blocked', sentence: 'The address is a private or local one, which Gemini CLI does not fetch.' },
  ],
  [
    /fetch failed|error during (?:fallback )?fetch|request failed with status/i,
    { word: 'Fetch failed', sentence: 'The page could not be fetched.' },
  ],
  [
    /params? must have required property|invalid (?:tool )?param|must be (?:string|number|array|object|boolean)/i,
    { word: 'Bad arguments', sentence: 'The arguments of the call were not what the tool needs.' },
  ],
]
/** The reason is at the start; a whole file may follow. */
const START_LENGTH = 2_000

/** null if the error's own words say it best. */
export function failureWords(call: ToolCall): FailureWords | null {
  if (call.status !== 'error') return null
  const recorded = [call.output, call.display].flatMap((output) =>
    output !== null && 'text' in output ? output.text.slice(0, START_LENGTH) : [],
  )
  return KNOWN.find(([pattern]) => recorded.some((text) => pattern.test(text)))?.[1] ?? null
}

interface ReadResult {
  text: string
  firstLine: number
  /** The shown range as reported by the CLI; null if not reported. */
  shown: { first: number; last: number; total: number } | null
}

/** Up to 0.21 `[File content truncated: showing lines 1-2000 of 5000 total lines. …]`, later a paragraph with a status. */
const HEADS = [
  /^\s*IMPORTANT: The file content has been truncated\.\s*\nStatus: Showing lines (\d+)-(\d+) of (\d+) total lines\.[\s\S]*?--- FILE CONTENT \(truncated\) ---\n/,
  /^\[File content truncated: showing lines (\d+)-(\d+) of (\d+) total lines[^\]]*\]\n/,
]
const DISPLAYED = /^Read lines (\d+)-(\d+) of (\d+) from /
const HEAD_LENGTH = 2_000

/** A file that was read, without the CLI's header. */
export function readResult(call: ToolCall, text: string): ReadResult {
  const start = text.slice(0, HEAD_LENGTH)
  const head = HEADS.map((pattern) => pattern.exec(start)).find((match) => match !== null) ?? null
  const display = call.display !== null && 'text' in call.display ? DISPLAYED.exec(call.display.text) : null
  const recorded = head ?? display
  const shown =
    recorded === null
      ? null
      : { first: Number(recorded[1]), last: Number(recorded[2]), total: Number(recorded[3]) }
  return { text: text.slice(head?.[0].length ?? 0), firstLine: shown?.first ?? askedFirstLine(call), shown }
}

/** `offset` counts lines from 0, the newer `start_line` (0.30+) from 1. */
function askedFirstLine(call: ToolCall): number {
  return numberArgument(call, 'start_line') ?? (numberArgument(call, 'offset') ?? 0) + 1
}

export interface ShellResult {
  /** The command's output; '' if none. */
  printed: string
  /** As requested; '' for the project's own folder. */
  directory: string
  /** The system's error if the command could not run or ended badly; '' if none. */
  error: string
  signal: string
  /** Processes that keep running after the command. */
  backgroundPids: string
  /** How it ended if it did not run to completion. */
  ending: 'background' | 'timeout' | 'cancelled' | null
}

const LABELS = ['Error', 'Exit Code', 'Signal', 'Background PIDs', 'Process Group PGID'] as const
/** Everything except the command's output is in the last lines. */
const SHELL_TAIL_LENGTH = 4_000

/** Parses the result of a shell command from the text for the model (all versions since 0.9). */
export function shellResult(call: ToolCall): ShellResult {
  const text = 'text' in call.output ? unwrapUntrusted(call.output.text) : ''
  const tail = readTail(text)
  const background = /^Command (?:moved to background \(PID: |is running in background\. PID: )(\d+)/.exec(
    text,
  )
  return {
    printed: printedText(text, tail.start),
    directory: textArgument(call, 'dir_path', 'directory', 'Cwd'),
    error: tail.fields.get('Error') ?? '',
    signal: tail.fields.get('Signal') ?? '',
    backgroundPids: background?.[1] ?? tail.fields.get('Background PIDs') ?? '',
    ending: background !== null ? 'background' : endingOf(text),
  }
}

/** Reads labeled lines from the end upwards while they are in the CLI's order: a command may print such lines itself. */
function readTail(text: string): { fields: Map<string, string>; start: number } {
  const fields = new Map<string, string>()
  let start = text.length
  let last: number = LABELS.length
  for (;;) {
    const lineStart = text.lastIndexOf('\n', start - 2) + 1
    if (start === 0 || text.length - lineStart > SHELL_TAIL_LENGTH) return { fields, start }
    const line = text.slice(lineStart, start).trimEnd()
    const at = LABELS.findIndex((name) => line.startsWith(`${name}: `))
    const label = LABELS[at]
    if (label === undefined || at >= last) return { fields, start }
    last = at
    const value = line.slice(label.length + 2)
    if (value !== '(none)') fields.set(label, value)
    start = lineStart
  }
}

function printedText(text: string, end: number): string {
  const found = /(?:^|\n)(?:Output|Stdout): /.exec(text.slice(0, SHELL_TAIL_LENGTH))
  if (found === null)
    return (
      /Output before cancellation:\n([\s\S]*)$|Below is the output before it was cancelled:\n([\s\S]*)$/
        .exec(text)
        ?.slice(1)
        .find((part) => part !== undefined) ?? ''
    )
  const printed = text
    .slice(found.index + found[0].length, Math.max(end, found.index + found[0].length))
    .replace(/\n$/, '')
  return printed === '(empty)' ? '' : printed
}

function endingOf(text: string): ShellResult['ending'] {
  const start = text.slice(0, 400)
  if (/^Command was automatically cancelled because it exceeded the timeout/.test(start)) return 'timeout'
  return /^Command was cancelled by user/.test(start) ? 'cancelled' : null
}
