/** A range of bytes: offset of the first, and after the last. */
export interface ByteRange {
  start: number
  end: number
}

/** `ignoreBOM` keeps the mark, so that it is only removed where allowed. Invalid UTF-8 becomes U+FFFD, as in the CLI. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** `slice` does not work: Node's `Buffer.slice` does not copy. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1 && pieces[0]) return pieces[0]
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}

/** ASCII whitespace: space, tab, and line ends. */
export function isBlankByte(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13)
}

/**
 * Appended to a text, or as the last item or field, if the rest was too large to hold.
 *
 * @param held what is held of it, such as `33554432 bytes`
 */
export function cutMark(sizeBytes: number, held: string): string {
  return `… (${sizeBytes} bytes in all, of which the first ${held} ${REST}`
}

/** Size of the whole value in bytes of its file; null if nothing is missing at the end of this text, or of the JSON in it. */
export function readCutMark(text: string): number | null {
  const end = text.slice(-MARK_CHARS)
  // The search for the words is several times faster than the expression, and usually finds nothing.
  if (!end.includes(REST)) return null
  const sizeBytes = MARK.exec(end)?.[1]
  return sizeBytes === undefined ? null : Number(sizeBytes)
}

const REST = 'are held here; the raw record has the rest)'
const MARK = /… \((\d+) bytes in all, of which the first /
/** The longest mark, and the end of the JSON around it. */
const MARK_CHARS = 250
