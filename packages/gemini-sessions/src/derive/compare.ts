import type { Turn } from '../model/message.ts'

/** Han, kana and Thai stand without blanks: each character is a word of its own. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+/gu

/** Two turns that asked the same, or one that the other session has no turn for. */
export interface TurnPair {
  a: Turn | null
  b: Turn | null
  /** How much the prompts say the same, 0 to 1; null where one is missing. */
  likeness: number | null
}

/** Prompts that share less than a third of their words ask for something else. */
const MIN_LIKENESS = 1 / 3
/** Beyond it turns are paired by their order: every pair of prompts is compared. */
const MAX_TURNS = 400

/**
 * The turns of two sessions side by side, in the order of both: those that asked alike are paired so that the pairs are as
 * alike as they can be. What stands before the first prompt is left out.
 */
export function alignTurns(turnsA: readonly Turn[], turnsB: readonly Turn[]): TurnPair[] {
  const a = turnsA.filter(({ number }) => number > 0)
  const b = turnsB.filter(({ number }) => number > 0)
  return a.length > MAX_TURNS || b.length > MAX_TURNS ? byOrder(a, b) : byLikeness(a, b)
}

function byOrder(a: readonly Turn[], b: readonly Turn[]): TurnPair[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) =>
    toPair(a[index] ?? null, b[index] ?? null),
  )
}

/** Best alignment by dynamic programming: `best[i][j]` is the most likeness that turns from `i` and `j` on can share. */
function byLikeness(a: readonly Turn[], b: readonly Turn[]): TurnPair[] {
  const likeness = a.map((one) => b.map((other) => promptLikeness(one.prompt, other.prompt)))
  const best = Array.from({ length: a.length + 1 }, () => new Float64Array(b.length + 1))
  const at = (i: number, j: number) => best[i]?.[j] ?? 0
  const gain = (i: number, j: number) => {
    const alike = likeness[i]?.[j] ?? 0
    return alike >= MIN_LIKENESS ? alike + at(i + 1, j + 1) : -1
  }
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = best[i]
      if (row !== undefined) row[j] = Math.max(gain(i, j), at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: TurnPair[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const isPair = i < a.length && j < b.length && gain(i, j) === at(i, j)
    const takesA = isPair || j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))
    const takesB = isPair || !takesA
    pairs.push(toPair(takesA ? (a[i] ?? null) : null, takesB ? (b[j] ?? null) : null))
    i += takesA ? 1 : 0
    j += takesB ? 1 : 0
  }
  return pairs
}

function toPair(a: Turn | null, b: Turn | null): TurnPair {
  return { a, b, likeness: a === null || b === null ? null : promptLikeness(a.prompt, b.prompt) }
}

/** How much two prompts say the same, 0 to 1: the words they share of all their words. Scripts without blanks go by character. */
export function promptLikeness(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if (a.size === 0 || b.size === 0) return a.size === b.size ? 1 : 0
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return shared / (a.size + b.size - shared)
}

function wordsOf(text: string): Set<string> {
  return new Set(text.normalize('NFKC').toLowerCase().match(WORD) ?? [])
}
