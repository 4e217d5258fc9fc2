/** A text for comparison: NFKC, without case, accents and invisible characters. */
export interface FoldedText {
  text: string
  /** Offset in the original (UTF-16) of the character at this offset of `text`. */
  startInOriginal(offset: number): number
  /** The same for the exclusive end of a match: includes combined characters (ligatures, accents) as a whole. */
  endInOriginal(offset: number): number
}

/** Folds a text and records where its characters came from. */
export function foldText(original: string): FoldedText {
  return mapText(original, NON_ASCII_RUN, (ascii) => ascii.toLowerCase(), foldCluster)
}

/** A text in composed form (NFC), since macOS decomposes file names. */
export function composeText(original: string): FoldedText {
  return mapText(
    original,
    COMPOSED_RUN,
    (ascii) => ascii,
    (cluster) => cluster.normalize('NFC'),
  )
}

function mapText(
  original: string,
  runs: RegExp,
  ofAscii: (text: string) => string,
  ofCluster: (cluster: string) => string,
): FoldedText {
  if (!NON_ASCII.test(original)) {
    return { text: ofAscii(original), startInOriginal: asItIs, endInOriginal: asItIs }
  }
  const steps: Step[] = []
  let text = ''
  let position = 0
  for (const run of original.matchAll(runs)) {
    text += ofAscii(original.slice(position, run.index))
    position = run.index
    for (const [cluster] of run[0].matchAll(CLUSTER)) {
      const folded = ofCluster(cluster)
      const isInStep = folded.length === cluster.length
      if (!isInStep) steps.push({ folded: text.length, original: position, isCluster: true })
      text += folded
      position += cluster.length
      if (!isInStep) steps.push({ folded: text.length, original: position, isCluster: false })
    }
  }
  text += ofAscii(original.slice(position))
  return {
    text,
    startInOriginal: (offset) => toOriginal(steps, offset, false),
    endInOriginal: (offset) => toOriginal(steps, offset, true),
  }
}

/** The same folding without offsets. */
export function foldTextOnly(original: string): string {
  if (!NON_ASCII.test(original)) return original.toLowerCase()
  return original
    .replace(ASCII_UPPER_RUN, (run) => run.toLowerCase())
    .replace(NON_ASCII_RUN, (run) => run.replace(CLUSTER, foldCluster))
}

/** Where the offsets of folded text and original diverge (a cluster that changed its length) or run in parallel again. */
interface Step {
  folded: number
  original: number
  isCluster: boolean
}

const NON_ASCII = /[^\0-\x7f]/
/** The parts that have to be folded letter by letter. */
export const NON_ASCII_RUN = /[^\0-\x7f]+/g
/** An accent combines with the letter before it. */
const COMPOSED_RUN = /[\0-\x7f]?[^\0-\x7f]+/g
const ASCII_UPPER_RUN = /[A-Z]+/g

// Marks, the voice marks of half-width katakana, and the jamo (conjoining, compatibility, half-width) that make up a
// Hangul syllable.
const JOINING = '\\p{M}\\uff9e\\uff9f\\u1160-\\u11ff\\u3130-\\u318f\\uffa0-\\uffdc\\ud7b0-\\ud7ff'
/** A base character with everything that normalization may combine with it. */
export const CLUSTER = new RegExp(`[^${JOINING}][${JOINING}]*|[${JOINING}]+`, 'gu')

const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

const foldedClusters = new Map<string, string>()
const MAX_REMEMBERED_CLUSTERS = 50_000
const MAX_REMEMBERED_LENGTH = 8

function foldCluster(cluster: string): string {
  const known = foldedClusters.get(cluster)
  if (known !== undefined) return known
  const folded = foldOnce(foldOnce(cluster))
  if (foldedClusters.size >= MAX_REMEMBERED_CLUSTERS) foldedClusters.clear()
  if (cluster.length <= MAX_REMEMBERED_LENGTH) foldedClusters.set(cluster, folded)
  return folded
}

/** Upper case first, so that ß is ss and ς is σ. */
function foldOnce(cluster: string): string {
  const lower = cluster.normalize('NFKC').replace(INVISIBLE, '').toUpperCase().toLowerCase()
  return lower.normalize('NFD').replace(ACCENTS, '').normalize('NFKC')
}

function asItIs(offset: number): number {
  return offset
}

function toOriginal(steps: Step[], offset: number, isEnd: boolean): number {
  const index = lastStepAt(steps, offset)
  const step = steps[index]
  if (step === undefined) return offset
  if (step.folded === offset) return step.original
  if (!step.isCluster) return step.original + offset - step.folded
  return isEnd ? (steps[index + 1]?.original ?? step.original) : step.original
}

/** Index of the last step that begins at or before the offset; -1 if there is none. */
function lastStepAt(steps: Step[], offset: number): number {
  let low = 0
  let high = steps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[middle]?.folded ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
