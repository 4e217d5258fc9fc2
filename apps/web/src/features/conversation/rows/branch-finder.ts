import type { SideBranch } from '@gemini-dash/api'
import type { RowSource } from './row.ts'

/** The side branches of a session by place, and whether each is open. */
export class BranchFinder {
  private readonly source: RowSource
  private readonly known = new Map<SideBranch, boolean>()

  constructor(source: RowSource) {
    this.source = source
  }

  /** The branch that holds the message at this place of the whole session. */
  at(offset: number): SideBranch | null {
    const branch = this.source.branches[this.firstEndingAfter(offset)]
    return branch !== undefined && branch.firstOffset <= offset ? branch : null
  }

  /** In order; none under a filter, where places in the list are not those in the session. */
  between(from: number, end: number): SideBranch[] {
    if (this.source.positions !== null) return []
    const branches: SideBranch[] = []
    for (let index = this.firstEndingAfter(from); index < this.source.branches.length; index += 1) {
      const branch = this.source.branches[index]
      if (branch === undefined || branch.firstOffset >= end) break
      branches.push(branch)
    }
    return branches
  }

  /** The same answer for all of it, wherever its pages begin. */
  isOpen(branch: SideBranch): boolean {
    const isOpen =
      this.known.get(branch) ??
      this.source.isFoldOpen([branch.firstKey, ...this.loadedKeys(branch)], branch.cause)
    this.known.set(branch, isOpen)
    return isOpen
  }

  /** A rewind may have taken more than an earlier one, whose branch the reader had opened. */
  private loadedKeys({ firstOffset, messages }: SideBranch): string[] {
    const { pages, pageSize, positions } = this.source
    if (positions !== null) return []
    const keys: string[] = []
    for (let offset = firstOffset; offset < firstOffset + messages; offset += 1) {
      const message = pages.get(Math.floor(offset / pageSize))?.[offset % pageSize]
      if (message !== undefined) keys.push(message.key)
    }
    return keys
  }

  private firstEndingAfter(offset: number): number {
    const { branches } = this.source
    let low = 0
    let high = branches.length
    while (low < high) {
      const middle = (low + high) >> 1
      const branch = branches[middle]
      if (branch !== undefined && branch.firstOffset + branch.messages <= offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
