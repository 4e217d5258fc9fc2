/** Where a value stands: offsets of its first byte and of the one behind its last. */
export interface ByteRange {
  start: number
  end: number
}

/** `ignoreBOM` keeps the mark, so that it is seen and taken off where it is allowed. Bad UTF-8 becomes U+FFFD, as in the CLI. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** `slice` would not do: that of Node's `Buffer` copies nothing. */
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

/** A blank of ASCII: space, tab, and the ends of lines. */
export function isBlankByte(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13)
}
