const encoder = new TextEncoder()

/** Equal for equal texts; collisions within one file are practically impossible. */
export function textFingerprint(text: string): string {
  return bytesFingerprint(encoder.encode(JSON.stringify(text).slice(1, -1)))
}

/** The same for the inside of a JSON string, in the encoding of `JSON.stringify`. */
export function bytesFingerprint(bytes: Uint8Array): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < bytes.length; at += 4) {
    const word =
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)
    a = Math.imul(rotate(a ^ word, 13), 0x9e3779b1)
    b = Math.imul(rotate(b ^ word, 19), 0x5f356495)
  }
  return `${bytes.length}.${a >>> 0}.${b >>> 0}`
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
