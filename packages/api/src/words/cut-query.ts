/** A URL can have 8 KB; this much of it is for the query. */
const MAX_ENCODED = 6_000
const MARK = '…'

/** A longer query was pasted, and is read as text. */
export const LONG_QUERY = 1_024

/** As much of a text as fits into a search URL, with a mark at the end if it was cut. */
export function cutQuery(text: string): string {
  let encoded = 0
  let end = 0
  for (const character of text) {
    encoded += encodedLength(character)
    if (encoded > MAX_ENCODED) return `${text.slice(0, end).trimEnd()}${MARK}`
    end += character.length
  }
  return text
}

/** The text without the mark of `cutQuery`; null if it was not cut. */
export function withoutCutMark(text: string): string | null {
  return text.length > LONG_QUERY / 2 && text.endsWith(MARK) ? text.slice(0, -MARK.length) : null
}

/** Length when URL-encoded: three characters for each byte of UTF-8 that is not a letter or digit. */
function encodedLength(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return /[\w.*-]/.test(character) ? 1 : 3
  return code < 0x800 ? 6 : code < 0x10000 ? 9 : 12
}
