import { KNOWN_NAMES } from '../../../raw/known-names.ts'
import { isRawObject } from '../../../raw/raw-object.ts'

/** JSON can hold negative numbers and, as `1e999`, infinity; neither counts anything. */
export function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
}

/** Some figure of the record is above 0. All-zero records are rebuilt messages, not measurements. */
export function hasTokens(tokens: unknown): boolean {
  if (!isRawObject(tokens)) return false
  for (const name of KNOWN_NAMES.tokens) {
    const count = tokens[name]
    if (isTokenCount(count) && count > 0) return true
  }
  return false
}
