import type { Part, ToolCall, ToolOutput } from 'gemini-sessions'
import { formatPlural, formatSize } from '../../../lib/format.ts'
import { type ToolKind, toolKind } from './tool-kind.ts'

export interface ToolOutcome {
  state: 'success' | 'failed' | 'running' | 'waiting' | 'cancelled' | 'unanswered'
  /** `34 lines`, `Failed, exit 1`, `No result` */
  word: string
}

const RUNNING = new Set(['validating', 'scheduled', 'executing', 'running', 'pending'])

/** How a call ended. `isPending`: it is the last one of a session that is being written now. */
export function toolOutcome(call: ToolCall, isPending = false): ToolOutcome {
  if (call.status === 'cancelled') return { state: 'cancelled', word: 'Cancelled' }
  if (call.failed) {
    const word = call.exitCode === null ? 'Failed' : `Failed, exit ${call.exitCode}`
    return { state: 'failed', word }
  }
  if (call.status === 'success') return { state: 'success', word: successWord(call, toolKind(call)) }
  if (call.status === 'awaiting_approval') return { state: 'waiting', word: 'Waiting for approval' }
  if (call.status === 'unanswered' || RUNNING.has(call.status)) {
    return isPending ? { state: 'running', word: 'Running' } : { state: 'unanswered', word: 'No result' }
  }
  return { state: 'unanswered', word: call.status || 'No result' }
}

function successWord(call: ToolCall, kind: ToolKind): string {
  const display = call.display ?? call.output
  if (display.kind === 'search') {
    const matches = display.matches.filter((match) => !match.isContext).length
    return matches === 0 ? 'No matches' : formatPlural(matches, 'match', 'matches')
  }
  if (display.kind === 'list') return formatPlural(display.files.length, kind === 'folder' ? 'item' : 'file')
  if (display.kind === 'diff') return display.isNewFile ? 'New file' : 'Applied'
  const picture = findPicture(call)
  if (picture !== undefined) return pictureWord(picture)
  if (kind === 'shell') return call.exitCode === null ? 'Done' : `exit ${call.exitCode}`
  if (kind === 'read' && call.output.kind === 'text' && !call.output.cut) return lineWord(call.output.text)
  if (kind === 'web' && call.output.kind === 'text')
    return formatSize(call.output.cut?.sizeBytes ?? call.output.text.length)
  if (kind === 'memory') return 'Saved'
  if (kind === 'edit' || kind === 'write') return 'Applied'
  return 'Done'
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
