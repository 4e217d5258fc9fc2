/** UTF-16 offsets, end exclusive. */
export type TextRange = [start: number, end: number]

/** Finds what a query looks for in one text, by the rules of its mode. */
export interface TextMatcher {
  /** Is there anything to find at all? Cheaper than `ranges`. */
  isIn(text: string): boolean
  /** All matches in the text as it was written, in order, without overlaps; at most `limit` of them. */
  ranges(text: string, limit: number): TextRange[]
}
