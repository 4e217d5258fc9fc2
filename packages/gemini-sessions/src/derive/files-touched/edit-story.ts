import type { SessionEdit, SessionEdits } from '../../model/insights/session-edits.ts'
import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { isPrompt } from '../messages/message-kinds.ts'
import { messageText } from '../messages/message-text.ts'
import { foldPath } from '../path-clues/path-spellings.ts'
import { type FileTouch, findFileCalls } from './find-file-calls.ts'
import { type EditTrace, KnownContent } from './known-content.ts'
import { resolveTouchedPath, touchedPathName } from './resolve-touched-path.ts'

const MAX_PROMPT_LENGTH = 300
/** Comparing larger contents would hold the answer up. */
const MAX_TEXT_LENGTH = 400_000
/** Of all edits together: what stays in memory until the last state is known. */
const MAX_KEPT_LENGTH = 64_000_000

interface Pending {
  edit: SessionEdit
  content: KnownContent
  trace: EditTrace
}

/**
 * Which prompt led to which edits, and which of them the last state of their files has. Messages are given in reading
 * order, with all their texts. What shell commands do to files is not looked into.
 */
export class EditStory {
  readonly #root: string | null
  readonly #prompts: SessionEdits['prompts'] = []
  readonly #contents = new Map<string, KnownContent>()
  readonly #pending: Pending[] = []
  #prompt: { messageKey: string | null; text: string } = { messageKey: null, text: '' }
  #offset = 0
  #keptLength = 0

  /** @param root of the project, which relative paths are relative to; null where it is not known */
  constructor(root: string | null) {
    this.#root = root
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      if (isPrompt(message)) {
        this.#prompt = { messageKey: message.key, text: messageText(message).slice(0, MAX_PROMPT_LENGTH) }
      }
      this.#addCalls(message, this.#offset)
      this.#offset++
    }
  }

  finish(): SessionEdits {
    for (const { edit, content, trace } of this.#pending) Object.assign(edit, content.stateOf(trace))
    return { prompts: this.#prompts, counts: countEdits(this.#prompts) }
  }

  #addCalls(message: Message, offset: number): void {
    for (const call of message.toolCalls) {
      const place = { sessionKey: '', offset, root: this.#root, isAgent: false }
      for (const touch of findFileCalls({ ...message, toolCalls: [call] }, place)) {
        const isChange = touch.call.action === 'wrote' || touch.call.action === 'edited'
        if (isChange) this.#addEdit(call, touch)
        else if (touch.call.outcome === 'done') this.#read(call, touch)
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

  #addEdit({ args }: ToolCall, { path, call, diff }: FileTouch): void {
    const { messageKey, offset, callId, tool, timestamp, superseded } = call
    const edit: SessionEdit = {
      ...{ messageKey, offset, callId, tool, path, timestamp, superseded },
      name: touchedPathName(path, this.#root),
      lines: diff && { linesAdded: diff.linesAdded, linesRemoved: diff.linesRemoved },
      state: 'not-made',
      doubt: null,
    }
    this.#editsOfPrompt().push(edit)
    if (call.outcome !== 'done') return
    const content = this.#contentOf(path)
    const length = (diff?.originalContent?.length ?? 0) + (diff?.newContent?.length ?? 0)
    this.#keptLength += length
    if (diff === null || diff.newContent === null || length > MAX_TEXT_LENGTH || this.#isFull) {
      const doubt = diff === null || diff.newContent === null ? 'unrecorded' : 'too-large'
      content.lose(doubt)
      Object.assign(edit, { state: 'unknown', doubt })
      return
    }
    this.#pending.push({ edit, content, trace: content.change(diff, isEverywhere(args)) })
    // A rewind may have put the file back, or not: the log does not say.
    if (superseded === 'rewound') content.lose('rewound')
  }

  get #isFull(): boolean {
    return this.#keptLength > MAX_KEPT_LENGTH
  }

  #editsOfPrompt(): SessionEdit[] {
    const last = this.#prompts.at(-1)
    if (last !== undefined && last.messageKey === this.#prompt.messageKey) return last.edits
    const edits: SessionEdit[] = []
    this.#prompts.push({ ...this.#prompt, edits })
    return edits
  }

  #contentOf(path: string): KnownContent {
    const key = foldPath(resolveTouchedPath(path, this.#root))
    const content = this.#contents.get(key) ?? new KnownContent()
    this.#contents.set(key, content)
    return content
  }
}

export function countEdits(prompts: SessionEdits['prompts']): SessionEdits['counts'] {
  const counts = { stands: 0, partly: 0, gone: 0, unknown: 0, notMade: 0 }
  for (const { edits } of prompts) {
    for (const { state } of edits) counts[state === 'not-made' ? 'notMade' : state]++
  }
  return counts
}

/** What the CLI puts before a part of a file, or in the place of a large result. */
const NOT_ALL = /content has been truncated|<tool_output_masked>|\[File content truncated|Output too large/i
const PARTIAL_ARGUMENTS = ['offset', 'limit', 'start_line', 'end_line']

/** The call asked for some lines of the file. */
function isPartial(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false
  return PARTIAL_ARGUMENTS.some((name) => Reflect.get(args, name) !== undefined)
}

/** `replace` of all places, as versions named it. */
function isEverywhere(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false
  const expected: unknown = Reflect.get(args, 'expected_replacements')
  return Reflect.get(args, 'allow_multiple') === true || (typeof expected === 'number' && expected > 1)
}
