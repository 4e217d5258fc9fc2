import type { Part, ToolCall, ToolOutput } from 'gemini-sessions'
import { formatPlural, formatSize } from '../../../../lib/figures/format.ts'
import { agentReport } from '../results/agent-report.ts'
import { askedQuestions } from '../results/asked-questions.ts'
import { listResult } from '../results/list-result.ts'
import { planAnswer } from '../results/plan-answer.ts'
import { searchResult, toldMatches } from '../results/search-result.ts'
import { webResult } from '../results/web-result.ts'
import { agentEnding } from './agent-ending.ts'
import { failureWords } from './failure-words.ts'
import { readResult } from './read-result.ts'
import { shellResult } from './shell-result.ts'
import { type ToolKind, toolKind } from './tool-kind.ts'

export interface ToolOutcome {
  /** stopped: ended before its end, by a limit or a signal; background: it goes on. */
  state: 'success' | 'failed' | 'running' | 'waiting' | 'cancelled' | 'stopped' | 'background' | 'unanswered'
  /** `34 lines`, `Failed, exit 1`, `No result` */
  word: string
}

const RUNNING = new Set(['validating', 'scheduled', 'executing', 'running', 'pending'])

/** How a call ended. `isPending`: it is the last one of a session that is being written now. */
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

/** What the person refused is told apart from what they stopped. */
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

/** `GOAL` is the end that is wished for; every other one is a limit. */
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
  return { state: 'cancelled', word: answer.state === 'rejected' ? 'Sent back' : 'Not approved' }
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
      return call.exitCode === null ? 'Done' : `exit ${call.exitCode}`
    case 'search':
      return text === null ? toldWord(call) : searchWord(searchResult(text))
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

/** Of a result that came cut: what its own first line counts. */
function toldWord({ output }: ToolCall): string {
  const told = 'text' in output ? toldMatches(output.text) : null
  return told === null ? 'Done' : formatPlural(told, 'match', 'matches')
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

/** The picture that a call brought, as its result or beside a text that only tells of it. */
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
