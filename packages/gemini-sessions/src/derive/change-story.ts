import type { ChangeStep, LineChange, SessionChanges, SessionEdit } from '../model/insights.ts'
import type { Message, ToolCall, ToolOutput } from '../model/message.ts'
import { hasRunToItsEnd } from '../parse/lift/calls.ts'
import { CarriedOutEdits } from './carried-out-edits.ts'
import { EditStory } from './edit-story.ts'
import { type FailedRun, failedRuns, isCommand, placeOfRun, type RecordOfRuns } from './failure.ts'
import { callLine, isPrompt, messageText, oneLine, RecordedCalls } from './messages.ts'
import { foldPath } from './path-spellings.ts'

const MAX_PROMPT_LENGTH = 300
const MAX_COMMAND_LENGTH = 500

type Turn = SessionChanges['turns'][number]
type EditStep = Extract<ChangeStep, { kind: 'edit' }>
type CommandStep = Extract<ChangeStep, { kind: 'command' }>
/** The state of an edit is known once everything was read. */
type Noted = CommandStep | { kind: 'edit'; edit: SessionEdit; diff: EditStep['diff'] }

/**
 * Edits and commands of a session in recorded order, by prompt. Messages are passed in reading order, with all their texts; `session` needs
 * none of its large ones. Ignores what shell commands do to files.
 */
export class ChangeStory {
  readonly #edits: EditStory
  readonly #carriedOut: CarriedOutEdits
  /** By message and index in it. */
  readonly #failed: ReadonlyMap<string, FailedRun>
  readonly #recorded = new RecordedCalls()
  readonly #turns: { head: Omit<Turn, 'steps'>; steps: Noted[] }[] = []
  #head: Omit<Turn, 'steps'> = { number: 0, messageKey: null, timestamp: null, prompt: '' }
  /** Of the current message, by call index. */
  #noted: [index: number, step: Noted][] = []
  #offset = 0

  /** @param root of the project, base of relative paths; null if unknown */
  constructor(session: RecordOfRuns, root: string | null) {
    this.#edits = new EditStory(root, (edit, { diff, index }) =>
      this.#noted.push([index, { kind: 'edit', edit, diff: toHunks(diff) }]),
    )
    this.#carriedOut = new CarriedOutEdits(session, root)
    this.#failed = new Map(
      failedRuns(session).map((each) => [placeOf(each.run.message.key, each.run.index), each]),
    )
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      if (isPrompt(message)) this.#begin(message)
      const news = new Set(this.#recorded.newIn(message))
      this.#edits.add([message])
      for (const [index, call] of message.toolCalls.entries())
        if (isCommand(call)) this.#noted.push([index, this.#command(message, call, index)])
      const steps = this.#noted
        .filter(([index]) => news.has(message.toolCalls[index] as ToolCall))
        .sort(([a], [b]) => a - b)
        .map(([, step]) => step)
      this.#noted = []
      this.#offset++
      if (steps.length > 0) this.#stepsOfTurn().push(...steps)
    }
  }

  finish(): SessionChanges {
    // the states of edits depend on the last known content of their files
    this.#edits.finish()
    const turns = this.#turns.map(({ head, steps }): Turn => ({ ...head, steps: steps.map(toStep) }))
    return { turns, files: changedFiles(turns), counts: countChanges(turns) }
  }

  #begin(message: Message): void {
    this.#head = {
      number: this.#head.number + 1,
      messageKey: message.key,
      timestamp: message.timestamp,
      prompt: messageText(message).slice(0, MAX_PROMPT_LENGTH),
    }
  }

  #stepsOfTurn(): Noted[] {
    const last = this.#turns.at(-1)
    if (last?.head === this.#head) return last.steps
    const steps: Noted[] = []
    this.#turns.push({ head: this.#head, steps })
    return steps
  }

  #command(message: Message, call: ToolCall, index: number): CommandStep {
    const failed = this.#failed.get(placeOf(message.key, index))
    const { worked = null, series = [], run } = failed ?? {}
    const before = run === undefined ? undefined : series[series.indexOf(run) - 1]
    return {
      kind: 'command',
      messageKey: message.key,
      offset: this.#offset,
      callId: call.id,
      timestamp: call.timestamp ?? message.timestamp,
      superseded: message.superseded,
      command: oneLine(callLine(call), MAX_COMMAND_LENGTH),
      folder: commandFolder(call),
      state: commandState(call),
      exitCode: call.exitCode,
      said: call.failed ? tellingLine(outputText(call.output)) : null,
      fate: failed?.kind ?? null,
      sinceWorked:
        worked === null || run === undefined
          ? null
          : { worked: placeOfRun(worked), ...this.#carriedOut.between(worked, run) },
      isFirstFailure: run !== undefined && before?.call.failed !== true,
      isLastRun: run !== undefined && run === series.at(-1),
    }
  }
}

function placeOf(messageKey: string, index: number): string {
  return `${messageKey}\n${index}`
}

function toStep(step: Noted): ChangeStep {
  return step.kind === 'edit' ? { ...step.edit, kind: 'edit', diff: step.diff } : step
}

/** The outcome of a command. */
export function commandState(call: ToolCall): CommandStep['state'] {
  if (call.failed) return 'failed'
  if (call.status === 'cancelled') return 'cancelled'
  if (call.status !== 'success') return 'unanswered'
  return hasRunToItsEnd(call) ? 'worked' : 'left'
}

/** The folder of a command as written in the call, from the argument of any version; null: the project's. */
export function commandFolder({ args }: ToolCall): string | null {
  if (typeof args !== 'object' || args === null) return null
  const given = ['dir_path', 'directory'].map((name): unknown => Reflect.get(args, name))
  return given.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? null
}

function outputText(output: ToolOutput): string {
  return 'text' in output ? output.text : ''
}

function changedFiles(turns: readonly Turn[]): SessionChanges['files'] {
  const files = new Map<string, SessionChanges['files'][number]>()
  for (const edit of madeEdits(turns)) {
    const { path, name, callId, messageKey } = edit
    const known = files.get(foldPath(path))
    files.set(foldPath(path), {
      ...{ path, name, callId, messageKey },
      edits: (known?.edits ?? 0) + 1,
      lines: addLines(known?.lines ?? null, edit.lines),
    })
  }
  return [...files.values()]
}

function addLines(a: LineChange | null, b: LineChange | null): LineChange | null {
  if (a === null || b === null) return a ?? b
  return { linesAdded: a.linesAdded + b.linesAdded, linesRemoved: a.linesRemoved + b.linesRemoved }
}

function countChanges(turns: readonly Turn[]): SessionChanges['counts'] {
  const edits = madeEdits(turns)
  const commands = turns.flatMap(({ steps }) => steps.filter(({ kind }) => kind === 'command'))
  const lines = edits.reduce<LineChange | null>((sum, edit) => addLines(sum, edit.lines), null)
  return {
    edits: edits.length,
    commands: commands.length,
    failedCommands: commands.filter(({ state }) => state === 'failed').length,
    linesAdded: lines?.linesAdded ?? 0,
    linesRemoved: lines?.linesRemoved ?? 0,
  }
}

/** Edits that were carried out and not rewound or replaced. */
function madeEdits(turns: readonly Turn[]): EditStep[] {
  return turns.flatMap(({ steps }) =>
    steps.filter((step): step is EditStep => {
      const isTakenBack = step.superseded === 'rewound' || step.superseded === 'replaced'
      return step.kind === 'edit' && step.state !== 'not-made' && !isTakenBack
    }),
  )
}

const MAX_LENGTH = 300
/** Searches only the end of an output, where errors are summarized. */
const MAX_LOOKED_AT = 20_000
/** What any version of Gemini CLI writes around an output. */
const OWN_LINE =
  /^(?:<\/?untrusted_context>|Command: |Directory: |Error: \(none\)|Exit Code: |Signal: |Background PIDs: |Process Group PGID: )/
const LABEL = /^(?:Output|Stdout|Stderr|Error): /
const NAMED_ERROR = /\b\w*(?:Error|Exception)\b/
const ERROR =
  /(?:^|\W)(?:error ?[:[]|fatal:|panic:|fail(?:ed|ure)?:|cannot |can't |not found|no such |not ok\b)/i

/** An output without the lines and labels that any version of Gemini CLI writes around it for the model. */
export function withoutFrame(output: string): string {
  if (!FRAMED.test(output)) return output
  const lines = output.split('\n').filter((line) => !OWN_LINE.test(line))
  return lines
    .map((line) => line.replace(STREAM, ''))
    .join('\n')
    .trim()
}

const FRAMED = /^(?:<untrusted_context>|Command: |Output: |Stdout: )/
/** An error of the command itself may also begin with `Error: `. */
const STREAM = /^(?:Output|Stdout|Stderr):(?: |$)(?:\((?:empty|none)\)$)?/

/** The most informative line of a failed command's output: the first that names an error, else the last. null: no output. */
export function tellingLine(output: string): string | null {
  const lines = output
    .slice(-MAX_LOOKED_AT)
    .split(/\r?\n/)
    .filter((line) => !OWN_LINE.test(line))
    .map((line) => oneLine(line.replace(LABEL, ''), MAX_LENGTH))
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && line !== '(empty)' && line !== '(none)')
  return lines.find((line) => NAMED_ERROR.test(line) || ERROR.test(line)) ?? lines.at(-1) ?? null
}

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** About a hundred lines: for more there is the file's own view. */
const MAX_HUNK_LENGTH = 6_000
/** The header of a diff, which the file name already covers. */
const HEAD = /^(?:Index: .*|=+|--- .*|\+\+\+ .*|\\ No newline at end of file)$/

/** What an edit changed, as lines of a unified diff. null: not recorded. */
function toHunks(diff: Diff | null): { text: string; isCut: boolean } | null {
  if (diff === null) return null
  const { fileDiff, originalContent, newContent } = diff
  if (fileDiff.trim() !== '') return cut(withoutHead(fileDiff.slice(0, MAX_HUNK_LENGTH * 2)))
  if (newContent === null) return null
  return cut(linesOf(originalContent ?? '', newContent))
}

function withoutHead(fileDiff: string): string {
  const lines = fileDiff.split(/\r?\n/)
  const first = lines.findIndex((line) => !HEAD.test(line))
  return lines.slice(Math.max(first, 0)).join('\n').trimEnd()
}

/** The removed and added lines, without equal lines at both ends. */
function linesOf(before: string, after: string): string {
  const [old, now] = [toLines(before), toLines(after)]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  const most = Math.min(old.length, now.length) - head
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  const went = old.slice(head, old.length - tail).map((line) => `-${line}`)
  const came = now.slice(head, now.length - tail).map((line) => `+${line}`)
  return [...went, ...came].join('\n')
}

function toLines(text: string): string[] {
  if (text === '') return []
  return text.replace(/\r?\n$/, '').split(/\r?\n/)
}

function cut(text: string): { text: string; isCut: boolean } {
  if (text.length <= MAX_HUNK_LENGTH) return { text, isCut: false }
  const end = text.lastIndexOf('\n', MAX_HUNK_LENGTH)
  return { text: text.slice(0, end > 0 ? end : MAX_HUNK_LENGTH), isCut: true }
}
