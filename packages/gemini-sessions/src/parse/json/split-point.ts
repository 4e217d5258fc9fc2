import { JSON_BYTES } from './json-bytes.ts'

const LONGEST_CHARACTER_BYTES = 4
/** `\u0041` */
const UNICODE_ESCAPE_BYTES = 6
const LETTER_U = 117

/**
 * The last place at which the inside of a JSON string can be cut in two pieces that decode alone: not inside a
 * character of UTF-8 and not inside an escape.
 */
export function splitPoint(bytes: Uint8Array): number {
  const end = characterEnd(bytes)
  for (let at = end - 1; at >= 0 && at > end - UNICODE_ESCAPE_BYTES; at -= 1) {
    if (bytes[at] !== JSON_BYTES.backslash) continue
    const isEscape = countBackslashes(bytes, at) % 2 === 1
    const length = bytes[at + 1] === LETTER_U ? UNICODE_ESCAPE_BYTES : 2
    return isEscape && at + length > end ? at : end
  }
  return end
}

function characterEnd(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST_CHARACTER_BYTES && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    // The first byte of a character: its others may still come.
    if (byte >= 0xc0) return bytes.length - back
  }
  return bytes.length
}

/** Up to and with the one at `last`. */
function countBackslashes(bytes: Uint8Array, last: number): number {
  let at = last
  while (at >= 0 && bytes[at] === JSON_BYTES.backslash) at -= 1
  return last - at
}
