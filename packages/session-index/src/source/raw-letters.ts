import { foldTextOnly } from '@gemini-dash/api/fold-text'

/** How letters can stand in a file without being themselves: everything that folding makes of other characters. */
export interface RawLetters {
  /** Characters that fold to this very letter or digit, beside itself. */
  variants: ReadonlyMap<string, string[]>
  /** Characters that fold to several (`ﬁ`, `™`). */
  joined: { character: string; folded: string }[]
  /** Characters that fold to nothing: accents by themselves, and what is not seen. */
  invisible: string[]
}

/**
 * Scripts whose letters fold one by one: what a text says of them can be told from its characters. Kana and Hangul are
 * not among them, as two characters can become one.
 */
export const FOLDED_ONE_BY_ONE =
  /^[a-z0-9\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]$/u

/** Where Unicode has characters that fold to letters of these scripts, or to nothing; a test looks at all others. */
export const FOLDING_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x80, 0x33ff],
  [0xa000, 0xabff],
  [0xf900, 0xffff],
  [0x10780, 0x107ff],
  [0x1bca0, 0x1bcaf],
  [0x1ccd0, 0x1ccff],
  [0x1d000, 0x1d7ff],
  [0x1e030, 0x1e08f],
  [0x1f100, 0x1f2ff],
  [0x1fbf0, 0x1fbff],
  [0x2f800, 0x2fa1f],
  [0xe0000, 0xe0fff],
]

let known: RawLetters | null = null

/** Made once, when first asked for: it takes some fifty milliseconds. */
export function rawLetters(): RawLetters {
  known ??= readRawLetters()
  return known
}

function readRawLetters(): RawLetters {
  const variants = new Map<string, string[]>()
  const joined: RawLetters['joined'] = []
  const invisible: string[] = []
  for (const [first, last] of FOLDING_RANGES) {
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code)
      const folded = foldTextOnly(character)
      if (folded === character) continue
      if (folded === '') invisible.push(character)
      else if (FOLDED_ONE_BY_ONE.test(folded))
        variants.set(folded, [...(variants.get(folded) ?? []), character])
      else joined.push({ character, folded })
    }
  }
  return { variants, joined, invisible }
}
