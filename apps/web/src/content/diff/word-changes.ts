import { diffWordsWithSpace } from 'diff'
import type { PatchLine } from './parse-patch.ts'

export interface WordPiece {
  text: string
  start: number
  isChanged: boolean
}

/** Longer lines, or more of them, are compared by lines only. */
const MAX_LINE_LENGTH = 400
const MAX_PAIRS = 200

/** For each line that replaces another, its words and whether they changed; by index of the line. */
export function wordChanges(lines: readonly PatchLine[]): Map<number, WordPiece[]> {
  const changes = new Map<number, WordPiece[]>()
  for (const [removed, added] of replacedPairs(lines).slice(0, MAX_PAIRS)) {
    if (removed.text.length > MAX_LINE_LENGTH || added.text.length > MAX_LINE_LENGTH) continue
    const words = diffWordsWithSpace(removed.text, added.text)
    const kept = words.filter((word) => !word.added && !word.removed)
    // two lines with nothing in common are no edit of each other
    if (!kept.some((word) => word.value.trim() !== '')) continue
    changes.set(removed.index, toPieces(words.filter((word) => !word.added)))
    changes.set(added.index, toPieces(words.filter((word) => !word.removed)))
  }
  return changes
}

/** The n-th removed line of a block stands for the n-th added one. */
function replacedPairs(lines: readonly PatchLine[]): [PatchLine, PatchLine][] {
  const pairs: [PatchLine, PatchLine][] = []
  let removed: PatchLine[] = []
  let added: PatchLine[] = []
  const close = () => {
    for (const [index, line] of removed.entries()) {
      const other = added[index]
      if (other !== undefined) pairs.push([line, other])
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) close()
      removed.push(line)
    } else if (line.kind === 'added') added.push(line)
    else if (line.kind !== 'remark') close()
  }
  close()
  return pairs
}

function toPieces(words: readonly { value: string; added: boolean; removed: boolean }[]): WordPiece[] {
  let start = 0
  return words.map((word) => {
    const piece = { text: word.value, start, isChanged: word.added || word.removed }
    start += word.value.length
    return piece
  })
}
