import { compareCurrency } from './compare-currency.ts'
import { fileSpan } from './file-span.ts'
import type { StitchFile } from './stitch-file.ts'

/**
 * Chains the parts of conversations that `/compress` (0.18 to 0.24) went on with in a new file under the same id:
 * the earlier file ends with the empty notice, the later one is the next to begin.
 */
export function linkCompressed(sets: readonly StitchFile[][]): StitchFile[][][] {
  const inOrder = [...sets].sort((a, b) => (fileSpan(a).startMs || 0) - (fileSpan(b).startMs || 0))
  const chains: StitchFile[][][] = []
  for (const set of inOrder) {
    const chain = chains.at(-1)
    const previous = chain?.at(-1)
    if (chain && previous && endsWithCompress(previous) && begins(set, previous)) chain.push(set)
    else chains.push([set])
  }
  return chains
}

function endsWithCompress(set: readonly StitchFile[]): boolean {
  return [...set].sort(compareCurrency)[0]?.parsed.endsWithCompress ?? false
}

function begins(set: readonly StitchFile[], previous: readonly StitchFile[]): boolean {
  return fileSpan(set).startMs >= fileSpan(previous).endMs
}
