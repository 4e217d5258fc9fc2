/** Bytes that give JSON its structure. */
export const JSON_BYTES = {
  quote: 34,
  comma: 44,
  colon: 58,
  listStart: 91,
  backslash: 92,
  listEnd: 93,
  objectStart: 123,
  objectEnd: 125,
} as const

/** Between the values of JSON. */
export function isJsonBlank(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}
