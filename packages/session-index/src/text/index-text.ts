import { CLUSTER, foldTextOnly, NON_ASCII_RUN } from '@gemini-dash/api/fold-text'
import { INDEX_PIECE } from './tokenize.ts'

/**
 * A text for the index, whose `ascii` tokenizer splits at everything that is ASCII and no letter or
 * digit, and takes every other character as part of a word. So we alone decide where words end, and
 * the tokens it finds are those of `tokenize`, whatever Unicode version SQLite was built with.
 */
export function indexText(text: string): string {
  // A NUL would end the text for SQLite's wasm build.
  return text.replace(NUL, ' ').replace(NON_ASCII_RUN, indexRun)
}

/** Stands between pieces of one column: no query contains it, so no phrase reaches across. */
export const PIECE_BREAK = ' \ue000 '

const NUL = new RegExp(String.fromCharCode(0), 'g')
const knownRuns = new Map<string, string>()
const MAX_KNOWN_RUNS = 20_000
const knownClusters = new Map<string, string>()
const MAX_KNOWN_CLUSTERS = 50_000
const MAX_KNOWN_LENGTH = 16

function indexRun(run: string): string {
  const known = knownRuns.get(run)
  if (known !== undefined) return known
  // Both folding and splitting look at one cluster at a time.
  const spaced = run.replace(CLUSTER, indexCluster)
  if (knownRuns.size >= MAX_KNOWN_RUNS) knownRuns.clear()
  if (run.length <= MAX_KNOWN_LENGTH) knownRuns.set(run, spaced)
  return spaced
}

function indexCluster(cluster: string): string {
  const known = knownClusters.get(cluster)
  if (known !== undefined) return known
  const spaced = foldTextOnly(cluster).replace(
    INDEX_PIECE,
    (piece: string, single?: string, word?: string) => {
      if (single !== undefined) return ` ${piece} `
      return word !== undefined ? piece : ' '
    },
  )
  if (knownClusters.size >= MAX_KNOWN_CLUSTERS) knownClusters.clear()
  if (cluster.length <= MAX_KNOWN_LENGTH) knownClusters.set(cluster, spaced)
  return spaced
}
