import type { EditDoubt } from '../../model/insights/session-edits.ts'
import type { ToolOutput } from '../../model/tool-output.ts'
import { isPiece } from './content-chain.ts'

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** What one edit brought into a file. */
export class EditTrace {
  /** The lines that it added; where it added none, those that it removed. */
  readonly lines: string[]
  readonly isRemoval: boolean
  /** What it wrote, followed through later edits; for where the whole content is not recorded. */
  fragment: string
  doubt: EditDoubt | null = null
  readonly #written: string
  /** Of lines that it removed: how often others like them stayed. */
  #leftOver: ReadonlyMap<string, number> = new Map()

  constructor(before: string, after: string) {
    const added = linesOnlyIn(after, before)
    this.isRemoval = added.length === 0
    this.lines = this.isRemoval ? linesOnlyIn(before, after) : added
    this.fragment = after
    this.#written = after
  }

  /** What the file held right after it, as far as that is known. */
  settle(content: string): void {
    if (this.isRemoval) this.#leftOver = countLines(content, this.lines)
  }

  stateIn(content: string): 'stands' | 'partly' | 'gone' | null {
    if (!this.isRemoval && this.#written.trim() !== '' && content.includes(this.#written)) return 'stands'
    // only blank lines: they are anywhere
    if (this.lines.length === 0) return content.includes(this.fragment) ? 'stands' : null
    const counts = countLines(content, this.lines)
    const standing = this.lines.filter((line) =>
      this.isRemoval ? (counts.get(line) ?? 0) <= (this.#leftOver.get(line) ?? 0) : counts.has(line),
    ).length
    return standing === this.lines.length ? 'stands' : standing > 0 ? 'partly' : 'gone'
  }
}

/** The content of one file as the log tells it, from read to change to read. */
export class KnownContent {
  /** null: not known. */
  #text: string | null = null
  /** Why it is not known any more; null: no whole content was ever recorded, but every change was. */
  #doubt: EditDoubt | null = null
  readonly #traces: EditTrace[] = []

  /** The whole file was read. */
  read(text: string): void {
    this.#text = tidy(text)
    this.#doubt = null
  }

  /** @param before of a piece, the text that it replaced; of a whole file, all that was in it. '' where that is not told */
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

  /** Something happened to the file, and nothing tells what is in it now. */
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

/** What a later edit of a piece does to what an earlier one wrote. */
function follow(trace: EditTrace, before: string, after: string): void {
  if (before === '') return
  if (trace.fragment.includes(before)) trace.fragment = trace.fragment.replace(before, () => after)
  else if (before.includes(trace.fragment)) trace.fragment = after
  else {
    const taken = new Set(toLines(before).filter((line) => line.trim() !== ''))
    if (toLines(trace.fragment).some((line) => taken.has(line))) trace.doubt = 'overlap'
  }
}

/** Lines of one text that the other has not, or has fewer of. Blank ones tell nothing. */
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
