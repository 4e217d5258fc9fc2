import type { LineChange } from '../../model/insights/touched-file.ts'
import type { ToolOutput } from '../../model/tool-output.ts'
import { countLineChanges } from './count-line-changes.ts'

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** Comparing larger contents would hold the answer up. */
const MAX_COMPARED_LENGTH = 400_000

/**
 * The contents of one file from change to change. Whole contents are recorded since 0.25; of older versions only what
 * `write_file` wrote is known, as a `replace` names no more than the piece that it replaced.
 */
export class ContentChain {
  isNew = false
  #changes = 0
  /** The first content that is known, before every change. undefined: not known. */
  #before: string | undefined
  /** What the last change left. undefined: not known. */
  #after: string | undefined
  #isWhole = true
  #isContinuous = true
  #lastDiff: Diff | null = null

  /** The next change; null: nothing is recorded of what it changed. */
  add(diff: Diff | null): void {
    const before = beforeOf(diff)
    const after = afterOf(diff)
    if (this.#changes === 0) {
      this.#before = before
      this.isNew = diff?.isNewFile === true
    } else if (before === undefined || this.#after === undefined) this.#isWhole = false
    else if (before !== this.#after) this.#isContinuous = false
    this.#after = after
    this.#lastDiff = diff
    this.#changes++
  }

  lines(): LineChange | null {
    if (this.#changes === 1 && this.#lastDiff !== null && !isUnknownRewrite(this.#lastDiff)) {
      return { linesAdded: this.#lastDiff.linesAdded, linesRemoved: this.#lastDiff.linesRemoved }
    }
    const ends = this.#ends()
    return ends === null ? null : countLineChanges(ends.before, ends.after)
  }

  /** What all changes came to, as a diff that the two contents tell. */
  diff(name: string, path: string): Diff | null {
    if (this.#changes === 1) return this.#lastDiff
    const ends = this.#ends()
    const lines = this.lines()
    if (ends === null) return null
    return {
      kind: 'diff',
      fileName: name,
      filePath: path,
      fileDiff: '',
      originalContent: ends.before,
      newContent: ends.after,
      linesAdded: lines?.linesAdded ?? 0,
      linesRemoved: lines?.linesRemoved ?? 0,
      isNewFile: this.isNew,
      isRebuilt: false,
    }
  }

  isContinuous(): boolean | null {
    return this.#isWhole && this.#ends() !== null ? this.#isContinuous : null
  }

  #ends(): { before: string; after: string } | null {
    const [before, after] = [this.#before, this.#after]
    if (before === undefined || after === undefined) return null
    return before.length + after.length > MAX_COMPARED_LENGTH ? null : { before, after }
  }
}

/** A whole content from before the change. */
function beforeOf(diff: Diff | null): string | undefined {
  if (diff === null || isPiece(diff)) return undefined
  return diff.originalContent ?? (diff.isNewFile ? '' : undefined)
}

/** A whole content from after it. */
function afterOf(diff: Diff | null): string | undefined {
  return diff === null || isPiece(diff) ? undefined : (diff.newContent ?? undefined)
}

/** Made from the arguments of a `replace`, which name a piece of the file unless they created it. */
export function isPiece({ isRebuilt, isNewFile, originalContent }: Diff): boolean {
  return isRebuilt && !isNewFile && originalContent !== null
}

/** A file written over by a version that did not record what was in it. */
function isUnknownRewrite({ isRebuilt, isNewFile, originalContent }: Diff): boolean {
  return isRebuilt && !isNewFile && originalContent === null
}
