import { fileSpan } from './file-span.ts'
import { sortByCurrency } from './sort-by-currency.ts'
import type { StitchFile } from './stitch-file.ts'

/**
 * Chains the parts of conversations that `/compress` (0.18 to 0.24) went on with in a new file under the same id:
 * the earlier file ends with the empty notice, the later one is the next to begin.
 */
export function linkCompressed(sets: readonly StitchFile[][]): StitchFile[][][] {
  const parts = sets
    .map((files) => ({ files, ...fileSpan(files) }))
    .sort((a, b) => (a.startMs || 0) - (b.startMs || 0))
  const chains: StitchFile[][][] = []
  for (const [index, { files, startMs }] of parts.entries()) {
    const previous = parts[index - 1]
    const isNext = previous !== undefined && endsWithCompress(previous.files) && startMs >= previous.endMs
    if (isNext) chains.at(-1)?.push(files)
    else chains.push([files])
  }
  return chains
}

function endsWithCompress(files: readonly StitchFile[]): boolean {
  const [current] = sortByCurrency(files)
  if (current === undefined) return false
  // Files with a `kind` are of 0.31 or later, when the notice no longer means that another file follows.
  return current.parsed.endsWithCompress && current.parsed.header.kind === null
}
