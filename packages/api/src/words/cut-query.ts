/** An address holds 8 KB; this much of it is for the query. */
const MAX_ENCODED = 6_000
const MARK = '…'

/** A query that is longer was pasted: it is read as text. */
export const LONG_QUERY = 1_024

/** As much of a text as the address of a search holds, with a mark at its end where that is not all. */
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

/** A text without the mark of `cutQuery`; null: it was not cut. */
export function withoutCutMark(text: string): string | null {
  return text.length > LONG_QUERY / 2 && text.endsWith(MARK) ? text.slice(0, -MARK.length) : null
}

/** As a part of an address: three letters for each byte of UTF-8 that is no letter or digit. */
function encodedLength(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return /[\w.*-]/.test(character) ? 1 : 3
  return code < 0x800 ? 6 : code < 0x10000 ? 9 : 12
}
