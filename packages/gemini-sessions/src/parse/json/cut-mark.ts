/**
 * Stands at the end of a text, or as the last item or field, where the rest was too much to be held.
 *
 * @param held what is there of it, as `33554432 bytes`
 */
export function cutMark(sizeBytes: number, held: string): string {
  return `… (${sizeBytes} bytes in all, of which the first ${held} ${REST}`
}

/** How large the whole is, in bytes of its file; null where nothing is missing at the end of this text, or of the JSON that it is. */
export function readCutMark(text: string): number | null {
  const end = text.slice(-MARK_CHARS)
  // The search for words is several times faster than the expression, and mostly finds none.
  if (!end.includes(REST)) return null
  const sizeBytes = MARK.exec(end)?.[1]
  return sizeBytes === undefined ? null : Number(sizeBytes)
}

const REST = 'are held here; the raw record has the rest)'
const MARK = /… \((\d+) bytes in all, of which the first /
/** The longest mark, and what closes the JSON around it. */
const MARK_CHARS = 250
