import type { ToolCall } from '../../../model/tool-call.ts'
import type { ToolOutput } from '../../../model/tool-output.ts'
import { KNOWN_NAMES } from '../../../raw/known-names.ts'
import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import { guardDepth } from '../../problems/guard-depth.ts'
import { isMask } from '../../row/masks.ts'
import { toIsoTime } from '../../row/to-iso-time.ts'
import { flattenContent } from '../parts/plain-text.ts'
import { toParts } from '../parts/to-parts.ts'
import { toToolOutput } from '../parts/to-tool-output.ts'
import type { LiftContext } from '../responses/lift-context.ts'
import type { RestOfLog } from '../responses/rest-of-log.ts'
import { isFailedCall, readExitCode } from './call-outcome.ts'
import { toDisplay } from './to-display.ts'
import { toTodos } from './to-todos.ts'

/** How the tools' own manuals open (0.9 to 0.61); they stand where a call's one-line description should be. */
const MANUAL_OPENINGS = [
  'Delegates a task to a specialized sub-agent',
  'Efficiently finds files matching specific glob patterns',
  'Fetches content from',
  'Lists the names of files and subdirectories directly within',
  'Performs a web search using Google Search',
  'Processes content from URL(s)',
  'Reads and returns the content of a specified file',
  'Reads content from multiple files',
  'Replaces text within a file',
  'Saves a specific piece of information or fact',
  'Searches for a regular expression pattern within',
  'The specialized tool for codebase analysis',
  'This tool can help you list out the current subtasks',
  'This tool executes a given shell command',
  'Writes content to a specified file',
]
const LONGEST_OWN_LINE = 300
/** Enough of an argument to recognise it in a description that quotes it. */
const QUOTED_LENGTH = 20

/** One call with its result from wherever the log holds it unmasked. `fullResult` is that of an earlier row. */
export function toToolCall(call: RawObject, fullResult: unknown, at: string, context: LiftContext): ToolCall {
  const { problems } = context
  problems.addUnknownNames('toolCall', call, KNOWN_NAMES.toolCall, at)
  const id = toText(call.id) ?? ''
  const name = toText(call.name) ?? ''
  const { response, extras } = findResult(call, { id, name }, fullResult, context)
  const output = toToolOutput(response, `${at} ${id}`, problems)
  const status = toStatus(call.status, response, output, at, context)
  const outputText = 'text' in output ? output.text : ''
  const exitCode = name === 'run_shell_command' ? readExitCode(outputText) : null
  const display = toDisplay(call, `${at} ${id}`, problems)
  const isDrawn = display !== null || status === 'error'
  return {
    id,
    name,
    displayName: toText(call.displayName),
    description: toDescription(call, context),
    args: guardDepth(call.args ?? null, `${at} ${id} args`, problems),
    status,
    timestamp: toIsoTime(call.timestamp),
    exitCode,
    failed: isFailedCall(status, exitCode),
    output,
    display: isDrawn ? display : rebuildDisplay(name, call.args, outputText),
    extraParts: toParts(extras, `${at} ${id}`, problems),
    agentId: toText(call.agentId),
    agentKey: null,
  }
}

/** The call's own result, unless a mask replaced it and another row still has the whole; pictures from wherever they are. */
function findResult(
  call: RawObject,
  tool: { id: string; name: string },
  fullResult: unknown,
  { rest }: LiftContext,
) {
  const turn = rest.resultOfCall(call) ?? rest.resultOf(tool.id)
  const found = [call.result, turn, fullResult].map((stored) => selectResult(stored, tool, rest))
  const answered = found.filter(({ response }) => response !== undefined)
  const best = answered.find(({ response }) => !isMask(response)) ?? answered[0]
  const extras = found.map((result) => result.extras).find((parts) => parts.length > 0)
  return { response: best?.response, extras: best?.extras.length ? best.extras : (extras ?? []) }
}

/** A call known only as a `functionCall` part, or cut off by a crash, has no status of its own. */
function toStatus(
  stored: unknown,
  response: unknown,
  output: ToolOutput,
  at: string,
  { problems }: LiftContext,
): string {
  if (typeof stored === 'string' && stored !== '') {
    if (!KNOWN_NAMES.toolStatus.has(stored)) problems.addDrift('toolCall.status', stored, at)
    return stored
  }
  if (response === undefined) return 'unanswered'
  if (output.kind !== 'error') return 'success'
  return output.text.startsWith('[Operation Cancelled]') ? 'cancelled' : 'error'
}

function toDescription(call: RawObject, { rest }: LiftContext): string | null {
  const { description } = call
  if (typeof description !== 'string' || description.trim() === '') return null
  if (rest.isRepeated(description) || isManualText(description, call.args)) return null
  return description
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The description is the tool's manual (up to 0.34, and on failed calls later), not this call's own line. */
function isManualText(description: string, args: unknown): boolean {
  const text = description.trim()
  if (MANUAL_OPENINGS.some((opening) => text.startsWith(opening))) return true
  if (text.length <= LONGEST_OWN_LINE && !text.includes('\n')) return false
  return !quotesArgument(text, args)
}

/** A shell call's own line (0.39+) is its command, which may be long and have many lines. */
function quotesArgument(text: string, args: unknown): boolean {
  if (!isRawObject(args)) return false
  return Object.values(args).some((value) => {
    const start = typeof value === 'string' ? value.trim().slice(0, QUOTED_LENGTH) : ''
    return start !== '' && text.includes(start)
  })
}

/** The diff or todo list that versions up to 0.24 drew but did not store, from the call's arguments. */
function rebuildDisplay(name: unknown, args: unknown, outputText: string): ToolOutput | null {
  if (!isRawObject(args)) return null
  if (name === 'write_todos' && Array.isArray(args.todos))
    return { kind: 'todos', todos: toTodos(args.todos) }
  if (name === 'replace' && typeof args.old_string === 'string' && typeof args.new_string === 'string') {
    // An empty old_string creates the file.
    return toDiff(args, args.old_string, args.new_string, args.old_string === '')
  }
  if (name === 'write_file' && typeof args.content === 'string') {
    return toDiff(args, null, args.content, outputText.includes('to new file'))
  }
  return null
}

function toDiff(args: RawObject, before: string | null, after: string, isNewFile: boolean): ToolOutput {
  const path = [args.file_path, args.absolute_path].find((value) => typeof value === 'string')
  const filePath = typeof path === 'string' ? path : null
  return {
    kind: 'diff',
    fileName: filePath?.split(/[/\\]/).at(-1) ?? '',
    filePath,
    fileDiff: '',
    originalContent: before ?? (isNewFile ? '' : null),
    newContent: after,
    ...countChangedLines(before ?? '', after),
    isNewFile,
    isRebuilt: true,
  }
}

/** Lines between the common start and the common end of both texts. */
function countChangedLines(before: string, after: string) {
  const old = toLines(before)
  const now = toLines(after)
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  const shorter = Math.min(old.length, now.length) - head
  while (tail < shorter && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  return { linesAdded: now.length - head - tail, linesRemoved: old.length - head - tail }
}

function toLines(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

interface SelectedResult {
  /** The `response` of the call's own functionResponse; undefined if there is none. */
  response: unknown
  /** Parts that came back beside it. */
  extras: unknown[]
}

/**
 * A call's own part of a stored result. After a resume (0.44+) `result` holds the results of all calls of
 * the turn; what stands between a functionResponse and the next one belongs to the first. Where no id leads to it, a
 * result that is no other call's (`rest`) will do: the only one, else the first under the tool's name.
 */
function selectResult(
  result: unknown,
  { id, name }: { id: string; name?: string },
  rest: Pick<RestOfLog, 'isCallId'>,
): SelectedResult {
  if (typeof result === 'string') return { response: result, extras: [] }
  const parts = flattenContent(result)
  const responses = parts.flatMap((part, index) => (toResponse(part) ? [index] : []))
  const start =
    responses.find((index) => toResponse(parts[index])?.id === id) ??
    findUnnamed(
      responses.filter((index) => !rest.isCallId(toResponse(parts[index])?.id)),
      (index) => toResponse(parts[index])?.name === name,
    )
  if (start === undefined) {
    return { response: undefined, extras: responses.length === 0 ? parts : [] }
  }
  const next = responses.find((index) => index > start) ?? parts.length
  const from = responses.length === 1 ? 0 : start
  const extras = parts.slice(from, next).filter((_, offset) => from + offset !== start)
  const { response, parts: inner } = toResponse(parts[start]) ?? {}
  return { response, extras: [...extras, ...flattenContent(inner)] }
}

function findUnnamed(indices: readonly number[], isOwnTool: (index: number) => boolean): number | undefined {
  return indices.length === 1 ? indices[0] : indices.find(isOwnTool)
}

function toResponse(part: unknown): RawObject | null {
  return isRawObject(part) && isRawObject(part.functionResponse) ? part.functionResponse : null
}
