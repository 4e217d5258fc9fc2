import type { EditDoubt, SessionChanges, SessionEdit } from '../model/insights.ts'
import type { Message, ToolCall, ToolOutput } from '../model/message.ts'
import {
  type FileTouch,
  findFileCalls,
  isChange,
  isPiece,
  resolveTouchedPath,
  touchedPathName,
} from './find-file-calls.ts'
import { foldPath } from './path-spellings.ts'
import type { TouchedFile } from './touched-file-list.ts'

/** Comparing larger contents would take too long. */
const MAX_TEXT_LENGTH = 400_000
/** For all edits together: what is kept in memory until the last state is known. */
const MAX_KEPT_LENGTH = 64_000_000

/** Data of a call that is not in the edit: the diff, and the index of the call in its message. */
interface EditSource {
  diff: FileTouch['diff']
  index: number
}

interface CallPlace {
  message: Message
  /** Of the message in its session. */
  offset: number
  call: ToolCall
  /** Of the call in its message. */
  index: number
}

interface Pending {
  edit: SessionEdit
  content: KnownContent
  trace: EditTrace
}

/**
 * The edits of a session, and which of them are in the last state of their files. Messages are passed in reading order, with all their
 * texts. Ignores what shell commands do to files.
 */
export class EditStory {
  readonly #root: string | null
  readonly #onEdit: ((edit: SessionEdit, source: EditSource) => void) | undefined
  readonly #all: SessionEdit[] = []
  readonly #contents = new Map<string, KnownContent>()
  readonly #pending: Pending[] = []
  #offset = 0
  #keptLength = 0

  /**
   * @param root of the project, base of relative paths; null if unknown
   * @param onEdit called with each edit, before its state is known
   */
  constructor(root: string | null, onEdit?: (edit: SessionEdit, source: EditSource) => void) {
    this.#root = root
    this.#onEdit = onEdit
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      this.#addCalls(message, this.#offset)
      this.#offset++
    }
  }

  finish(): SessionEdit[] {
    for (const { edit, content, trace } of this.#pending) Object.assign(edit, content.stateOf(trace))
    return this.#all
  }

  #addCalls(message: Message, offset: number): void {
    for (const [index, call] of message.toolCalls.entries()) {
      for (const touch of findFileCalls(message, call, this.#root)) {
        if (isChange(touch)) this.#addEdit(touch, { message, offset, call, index })
        else if (touch.isDone) this.#read(call, touch)
      }
    }
  }

  #read(call: ToolCall, { path }: FileTouch): void {
    const { output } = call
    if (call.name !== 'read_file' || (output.kind !== 'text' && output.kind !== 'markdown')) return
    const text = output.text
    if (text.length > MAX_TEXT_LENGTH || isPartial(call.args) || NOT_ALL.test(text.slice(0, 400))) return
    this.#contentOf(path).read(text)
  }

  #addEdit({ path, isDone, diff }: FileTouch, { message, offset, call, index }: CallPlace): void {
    const { key: messageKey, superseded } = message
    const edit: SessionEdit = {
      ...{ messageKey, offset, callId: call.id, tool: call.name, path, superseded },
      timestamp: call.timestamp ?? message.timestamp,
      name: touchedPathName(path, this.#root),
      lines: diff && { linesAdded: diff.linesAdded, linesRemoved: diff.linesRemoved },
      state: 'not-made',
      doubt: null,
    }
    this.#all.push(edit)
    this.#onEdit?.(edit, { diff, index })
    if (!isDone) return
    const content = this.#contentOf(path)
    const length = (diff?.originalContent?.length ?? 0) + (diff?.newContent?.length ?? 0)
    this.#keptLength += length
    if (diff === null || diff.newContent === null || length > MAX_TEXT_LENGTH || this.#isFull) {
      const doubt = diff === null || diff.newContent === null ? 'unrecorded' : 'too-large'
      content.lose(doubt)
      Object.assign(edit, { state: 'unknown', doubt })
      return
    }
    this.#pending.push({ edit, content, trace: content.change(diff, isEverywhere(call.args)) })
    // A rewind may or may not have restored the file: the log does not record it.
    if (superseded === 'rewound') content.lose('rewound')
  }

  get #isFull(): boolean {
    return this.#keptLength > MAX_KEPT_LENGTH
  }

  #contentOf(path: string): KnownContent {
    const key = foldPath(resolveTouchedPath(path, this.#root))
    const content = this.#contents.get(key) ?? new KnownContent()
    this.#contents.set(key, content)
    return content
  }
}

/** What the CLI writes before part of a file, or instead of a large result. */
const NOT_ALL = /content has been truncated|<tool_output_masked>|\[File content truncated|Output too large/i
const PARTIAL_ARGUMENTS = ['offset', 'limit', 'start_line', 'end_line']

/** The call requested only some lines of the file. */
function isPartial(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false
  return PARTIAL_ARGUMENTS.some((name) => Reflect.get(args, name) !== undefined)
}

/** Whether `replace` applies to all occurrences, by the arguments of any version. */
function isEverywhere(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false
  const expected: unknown = Reflect.get(args, 'expected_replacements')
  return Reflect.get(args, 'allow_multiple') === true || (typeof expected === 'number' && expected > 1)
}

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** What one edit added to a file. */
class EditTrace {
  /** The added lines; if none were added, the removed ones. */
  readonly lines: string[]
  readonly isRemoval: boolean
  /** The text it wrote, tracked through later edits; used if the whole content is not recorded. */
  fragment: string
  doubt: EditDoubt | null = null
  readonly #written: string
  /** For removed lines: how many equal lines remained. */
  #leftOver: ReadonlyMap<string, number> = new Map()

  constructor(before: string, after: string) {
    const added = linesOnlyIn(after, before)
    this.isRemoval = added.length === 0
    this.lines = this.isRemoval ? linesOnlyIn(before, after) : added
    this.fragment = after
    this.#written = after
  }

  /** Content of the file right after it, if known. */
  settle(content: string): void {
    if (this.isRemoval) this.#leftOver = countLines(content, this.lines)
  }

  stateIn(content: string): 'stands' | 'partly' | 'gone' | null {
    if (!this.isRemoval && this.#written.trim() !== '' && content.includes(this.#written)) return 'stands'
    // only blank lines, which may be anywhere
    if (this.lines.length === 0) return content.includes(this.fragment) ? 'stands' : null
    const counts = countLines(content, this.lines)
    const standing = this.lines.filter((line) =>
      this.isRemoval ? (counts.get(line) ?? 0) <= (this.#leftOver.get(line) ?? 0) : counts.has(line),
    ).length
    return standing === this.lines.length ? 'stands' : standing > 0 ? 'partly' : 'gone'
  }
}

/** The content of one file according to the log, through reads and changes. */
class KnownContent {
  /** null if unknown. */
  #text: string | null = null
  /** Why it is no longer known; null: no whole content was ever recorded, but every change was. */
  #doubt: EditDoubt | null = null
  readonly #traces: EditTrace[] = []

  /** The whole file was read. */
  read(text: string): void {
    this.#text = tidy(text)
    this.#doubt = null
  }

  /** @param before of a piece, the text it replaced; of a whole file, its previous content. '' if not recorded */
  change(diff: Diff, isEverywhere: boolean): EditTrace {
    const before = tidy(diff.originalContent ?? '')
    const after = tidy(diff.newContent ?? '')
    const trace = new EditTrace(before, after)
    if (isPiece(diff)) this.#replace(before, after, isEverywhere)
    else this.read(after)
    trace.settle(this.#text ?? after)
    this.#traces.push(trace)
    return trace
  }

  /** The file was changed, and its content is now unknown. */
  lose(doubt: EditDoubt): void {
    this.#text = null
    this.#doubt = doubt
  }

  stateOf(trace: EditTrace): { state: 'stands' | 'partly' | 'gone' | 'unknown'; doubt: EditDoubt | null } {
    const doubt = this.#text === null ? (this.#doubt ?? trace.doubt) : null
    if (doubt !== null) return { state: 'unknown', doubt }
    const state = trace.stateIn(this.#text ?? trace.fragment)
    return state === null ? { state: 'unknown', doubt: 'overlap' } : { state, doubt: null }
  }

  #replace(before: string, after: string, isEverywhere: boolean): void {
    for (const trace of this.#traces) follow(trace, before, after)
    if (this.#text === null) return
    if (before === '' || !this.#text.includes(before)) {
      this.lose('misfit')
      return
    }
    this.#text = isEverywhere
      ? this.#text.replaceAll(before, () => after)
      : this.#text.replace(before, () => after)
  }
}

/** Applies a later edit of a piece to the text of an earlier one. */
function follow(trace: EditTrace, before: string, after: string): void {
  if (before === '') return
  if (trace.fragment.includes(before)) trace.fragment = trace.fragment.replace(before, () => after)
  else if (before.includes(trace.fragment)) trace.fragment = after
  else {
    const taken = new Set(toLines(before).filter((line) => line.trim() !== ''))
    if (toLines(trace.fragment).some((line) => taken.has(line))) trace.doubt = 'overlap'
  }
}

/** Lines of one text that the other lacks, or has fewer of. Blank lines are ignored. */
function linesOnlyIn(text: string, other: string): string[] {
  const counts = new Map<string, number>()
  for (const line of toLines(other)) counts.set(line, (counts.get(line) ?? 0) + 1)
  return toLines(text).filter((line) => {
    const left = counts.get(line) ?? 0
    if (left > 0) counts.set(line, left - 1)
    return left === 0 && line.trim() !== ''
  })
}

function countLines(text: string, wanted: readonly string[]): Map<string, number> {
  const asked = new Set(wanted)
  const counts = new Map<string, number>()
  for (const line of toLines(text)) if (asked.has(line)) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

function toLines(text: string): string[] {
  return text.split('\n')
}

function tidy(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** The edits of a session whose sub-agents touched these files: edits of files changed later by a sub-agent become unknown. */
export function doubtEdits(edits: readonly SessionEdit[], ofAgents: readonly TouchedFile[]): SessionEdit[] {
  return edits.map(doubtBy(ofAgents))
}

/** The same for the changes of a session. */
export function doubtChanges(changes: SessionChanges, ofAgents: readonly TouchedFile[]): SessionChanges {
  const doubt = doubtBy(ofAgents)
  const turns = changes.turns.map((turn) => ({
    ...turn,
    steps: turn.steps.map((step) => (step.kind === 'edit' ? doubt(step) : step)),
  }))
  return { ...changes, turns }
}

function doubtBy(ofAgents: readonly TouchedFile[]): <Edit extends SessionEdit>(edit: Edit) => Edit {
  const lastChanges = new Map<string, number>()
  for (const { path, writes, edits, lastTime } of ofAgents) {
    if (writes + edits === 0) continue
    const key = foldPath(path)
    const time = Date.parse(lastTime ?? '') || Number.POSITIVE_INFINITY
    lastChanges.set(key, Math.max(time, lastChanges.get(key) ?? 0))
  }
  return (edit) => {
    const changedAt = lastChanges.get(foldPath(edit.path)) ?? 0
    const isOlder = changedAt > (Date.parse(edit.timestamp ?? '') || 0)
    return edit.state === 'not-made' || !isOlder ? edit : { ...edit, state: 'unknown', doubt: 'subagent' }
  }
}
