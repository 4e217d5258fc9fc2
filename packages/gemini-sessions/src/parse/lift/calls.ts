import type { AnsiToken, ToolCall, ToolOutput } from '../../model/message.ts'
import { isRawObject, KNOWN_NAMES, type RawObject } from '../../raw.ts'
import { guardDepth, type Problems } from '../problems.ts'
import { isMask, toIsoTime } from '../row.ts'
import { flattenContent, toParts, toToolOutput } from './parts.ts'
import type { LiftContext, RestOfLog } from './responses.ts'

/** How the tools' own manuals begin (0.9 to 0.61); they are stored in place of a call's one-line description. */
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
/** Enough of an argument to recognize it in a description that quotes it. */
const QUOTED_LENGTH = 20

/** One call with its result from wherever the log has it unmasked. `fullResult` is from an earlier row. */
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

/** The call's own result, unless a mask replaced it and another row still has the whole; images from anywhere. */
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

/** A call known only as a `functionCall` part, or cut off by a crash, has no status. */
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

/** The description is the tool's manual (up to 0.34, and on failed calls later), not specific to this call. */
function isManualText(description: string, args: unknown): boolean {
  const text = description.trim()
  if (MANUAL_OPENINGS.some((opening) => text.startsWith(opening))) return true
  if (text.length <= LONGEST_OWN_LINE && !text.includes('\n')) return false
  return !quotesArgument(text, args)
}

/** A shell call's description (0.39+) is its command, which may be long and have many lines. */
function quotesArgument(text: string, args: unknown): boolean {
  if (!isRawObject(args)) return false
  return Object.values(args).some((value) => {
    const start = typeof value === 'string' ? value.trim().slice(0, QUOTED_LENGTH) : ''
    return start !== '' && text.includes(start)
  })
}

/** The diff or todo list that versions up to 0.24 displayed but did not store, from the call's arguments. */
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

/** Counts lines between the common start and the common end of both texts. */
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
  /** Parts returned with it. */
  extras: unknown[]
}

/**
 * A call's own part of a stored result. After a resume (0.44+) `result` has the results of all calls of the turn; everything between a
 * functionResponse and the next one belongs to the first. Without a matching id, uses a result that belongs to no other call (`rest`): the
 * only one, else the first with the tool's name.
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

const LABEL = 'Exit Code: '

/** It is only followed by a signal, process ids and a closing tag. */
const TAIL_LENGTH = 2_000

/** A shell command with a non-zero exit code has failed, even with status `success`. */
export function isFailedCall(status: string, exitCode: number | null): boolean {
  return status === 'error' || (exitCode !== null && exitCode !== 0)
}

/** The exit code in a shell call's result text; null if none. The CLI's own line is the last of its kind. */
export function readExitCode(text: string): number | null {
  const tail = text.slice(-TAIL_LENGTH)
  for (let at = tail.lastIndexOf(LABEL); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(LABEL, at - 1)) {
    if (at > 0 && tail[at - 1] !== '\n') continue
    const code = /^-?\d+/.exec(tail.slice(at + LABEL.length, at + LABEL.length + 12))
    return code ? Number(code[0]) : null
  }
  return null
}

/** The CLI's own lines are last: a command may print such a line itself. U+FDD0 marks a large text that was put aside. */
const SIGNAL_AT_END =
  /(?:^|\n)Signal: ([^\n\uFDD0]+)(?:\n(?:Background PIDs|Process Group PGID): [^\n]*)*(?:\n<\/[\w-]+>)?\s*$/

/** The signal that ended a shell command, from its result text; null if none. */
export function readSignal(text: string): string | null {
  const tail = text.slice(-TAIL_LENGTH)
  // The search for words is several times faster than the expression, and usually finds nothing.
  const signal = tail.includes('Signal: ') ? (SIGNAL_AT_END.exec(tail)?.[1]?.trim() ?? '') : ''
  return ['', '(none)', '0', 'null'].includes(signal) ? null : signal
}

/** What Gemini CLI writes in place of a command's output: that it runs in the background, was cancelled or blocked. */
const NO_END =
  /^(?:<untrusted_context>\n)?Command (?:is running in background|moved to background|was (?:automatically )?cancelled|injection detected)/
const STARTED_ONLY = /(?:^|[^&])&\s*$/

/**
 * Whether a shell command with status `success` ended by itself: commands that continue in the background, time out, are cancelled or ended
 * by a signal have that status, too.
 */
export function hasRunToItsEnd({ args, output }: Pick<ToolCall, 'args' | 'output'>): boolean {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : null
  if (typeof command === 'string' && STARTED_ONLY.test(command)) return false
  const text = 'text' in output ? output.text : ''
  return !NO_END.test(text) && readSignal(text) === null
}

/** What the CLI displayed for a call, from `resultDisplay`; null if nothing. */
function toDisplay(call: RawObject, at: string, problems: Problems): ToolOutput | null {
  const stored = call.resultDisplay
  if (stored === undefined || stored === null || stored === '') return null
  // A command without output leaves a terminal without lines.
  if (Array.isArray(stored) && stored.length === 0) return null
  if (typeof stored === 'string') return toTextDisplay(stored, call)
  const known = isRawObject(stored) ? toObjectDisplay(stored, at, problems) : toAnsiLines(stored)
  if (known) {
    if (isRawObject(stored)) noteUnknownFields(stored, known.kind, at, problems)
    return known
  }
  const name = isRawObject(stored) ? Object.keys(stored).slice(0, 6).join(',') : typeof stored
  problems.addDrift('resultDisplay', name, at)
  return { kind: 'unknown', json: guardDepth(stored, `${at} resultDisplay`, problems) }
}

function toTextDisplay(text: string, call: RawObject): ToolOutput {
  if (call.status === 'error') return { kind: 'error', text }
  return { kind: call.renderOutputAsMarkdown === true ? 'markdown' : 'text', text }
}

function toObjectDisplay(stored: RawObject, at: string, problems: Problems): ToolOutput | null {
  if (typeof stored.fileDiff === 'string' && typeof stored.fileName === 'string') {
    return toDisplayDiff(stored, stored.fileDiff, stored.fileName)
  }
  if (Array.isArray(stored.todos)) return { kind: 'todos', todos: toTodos(stored.todos) }
  if (stored.isSubagentProgress === true) return toSubagentDisplay(stored, at, problems)
  const summary = typeof stored.summary === 'string' ? stored.summary : ''
  if (Array.isArray(stored.matches)) {
    return { kind: 'search', summary, matches: stored.matches.filter(isRawObject).map(toMatch) }
  }
  if (Array.isArray(stored.files)) {
    return { kind: 'list', summary, files: toTexts(stored.files), skipped: toTexts(stored.skipped) }
  }
  return summary === '' ? null : { kind: 'text', text: summary }
}

function noteUnknownFields(
  stored: RawObject,
  kind: ToolOutput['kind'],
  at: string,
  problems: Problems,
): void {
  if (isKnownDisplay(kind)) {
    problems.addUnknownNames(`resultDisplay.${kind}`, stored, KNOWN_DISPLAY_FIELDS[kind], at)
  }
}

function isKnownDisplay(kind: ToolOutput['kind']): kind is keyof typeof KNOWN_DISPLAY_FIELDS {
  return kind in KNOWN_DISPLAY_FIELDS
}

function toDisplayDiff(stored: RawObject, fileDiff: string, fileName: string): ToolOutput {
  const { filePath, originalContent, newContent } = stored
  return {
    kind: 'diff',
    fileName,
    filePath: typeof filePath === 'string' ? filePath : null,
    fileDiff,
    originalContent: typeof originalContent === 'string' ? originalContent : null,
    newContent: typeof newContent === 'string' ? newContent : null,
    ...countDiffLines(fileDiff),
    isNewFile: stored.isNewFile === true,
    isRebuilt: false,
  }
}

function toMatch(match: RawObject) {
  const { filePath, lineNumber, line } = match
  return {
    filePath: typeof filePath === 'string' ? filePath : '',
    lineNumber: typeof lineNumber === 'number' && Number.isFinite(lineNumber) ? lineNumber : null,
    line: typeof line === 'string' ? line : '',
    isContext: match.isContext === true,
  }
}

/** Skipped files are stored as paths or as `{path, reason}`. */
function toTexts(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    if (typeof item === 'string') return [item]
    if (!isRawObject(item) || typeof item.path !== 'string') return []
    return [typeof item.reason === 'string' ? `${item.path} (${item.reason})` : item.path]
  })
}

/** A sub-agent's progress (0.33+): its last few activities. */
function toSubagentDisplay(stored: RawObject, at: string, problems: Problems): ToolOutput {
  const activity = Array.isArray(stored.recentActivity) ? stored.recentActivity.filter(isRawObject) : []
  return {
    kind: 'subagent',
    agentName: toText(stored.agentName) ?? '',
    state: toText(stored.state),
    activity: activity.map((step) => ({
      id: toText(step.id) ?? '',
      type: toText(step.type) ?? '',
      content: toText(step.content) ?? '',
      displayName: toText(step.displayName),
      description: toText(step.description),
      args: guardDepth(toArgs(step.args), `${at} recentActivity.args`, problems),
      status: toText(step.status) ?? '',
    })),
    result: toText(stored.result),
    terminateReason: toText(stored.terminateReason),
  }
}

/** The CLI stores them as a JSON string. */
function toArgs(args: unknown): unknown {
  if (typeof args !== 'string') return null
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

/** All fields of each object that a known CLI version (0.25 to 0.61) stores as `resultDisplay`, by output kind. */
const KNOWN_DISPLAY_FIELDS = {
  diff: new Set([
    'fileDiff',
    'fileName',
    'filePath',
    'originalContent',
    'newContent',
    'diffStat',
    'isNewFile',
    'isBuildFile',
  ]),
  todos: new Set(['todos']),
  subagent: new Set([
    'isSubagentProgress',
    'agentName',
    'recentActivity',
    'state',
    'result',
    'terminateReason',
  ]),
  search: new Set(['summary', 'matches', 'payload']),
  list: new Set(['summary', 'files', 'payload', 'skipped', 'include', 'excludes', 'targetDir']),
  text: new Set(['summary', 'payload']),
} satisfies Partial<Record<ToolOutput['kind'], ReadonlySet<string>>>

/** Added and removed lines of a unified diff. */
export function countDiffLines(fileDiff: string): { linesAdded: number; linesRemoved: number } {
  let linesAdded = 0
  let linesRemoved = 0
  // The first hunk is preceded by the `---` and `+++` headers.
  let start = fileDiff.startsWith('@@') ? 0 : fileDiff.indexOf('\n@@')
  while (start !== -1) {
    const sign = fileDiff[start + 1]
    if (sign === '+') linesAdded += 1
    else if (sign === '-') linesRemoved += 1
    start = fileDiff.indexOf('\n', start + 1)
  }
  return { linesAdded, linesRemoved }
}

/** Rows of terminal tokens (0.38+, shell under a pty); null for any other list. */
export function toAnsiLines(stored: unknown): ToolOutput | null {
  if (!Array.isArray(stored) || !stored.every(isTokens)) return null
  return { kind: 'ansi', lines: stored.map((line) => line.map(toToken)) }
}

function isTokens(line: unknown): line is RawObject[] {
  return Array.isArray(line) && line.every(isRawObject)
}

function toToken(token: RawObject): AnsiToken {
  return {
    text: typeof token.text === 'string' ? token.text : '',
    bold: token.bold === true,
    italic: token.italic === true,
    underline: token.underline === true,
    dim: token.dim === true,
    inverse: token.inverse === true,
    fg: toColour(token.fg),
    bg: toColour(token.bg),
  }
}

function toColour(value: unknown): string {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : ''
}

/** A stored todo list; statuses are kept unchanged. */
function toTodos(todos: readonly unknown[]): { description: string; status: string }[] {
  return todos.filter(isRawObject).map(({ description, status }) => ({
    description: typeof description === 'string' ? description : '',
    status: typeof status === 'string' ? status : '',
  }))
}
