/** UTF-16 offsets, end exclusive. */
export type TextRange = [start: number, end: number]

/** Matches one text against a query, by the rules of its mode. */
export interface TextMatcher {
  /** Whether there is any match. Cheaper than `ranges`. */
  isIn(text: string): boolean
  /** All matches in the original text, in order, without overlaps; at most `limit`. */
  ranges(text: string, limit: number): TextRange[]
}
