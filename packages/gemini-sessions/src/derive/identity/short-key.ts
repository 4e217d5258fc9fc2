import { sha256 } from './sha256.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The first 72 bits of a text's SHA-256 as 12 URL-safe characters (base64url). */
export function shortKey(text: string): string {
  const digest = sha256(text)
  let key = ''
  for (let offset = 0; offset < 9; offset += 3) {
    const bits = ((digest[offset] ?? 0) << 16) | ((digest[offset + 1] ?? 0) << 8) | (digest[offset + 2] ?? 0)
    for (const shift of [18, 12, 6, 0]) key += ALPHABET[(bits >> shift) & 63]
  }
  return key
}
