/** A blank of ASCII: space, tab, and the ends of lines. */
export function isBlankByte(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13)
}
