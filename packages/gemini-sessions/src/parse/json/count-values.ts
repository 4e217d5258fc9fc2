import { JSON_BYTES } from './json-bytes.ts'

/** About how many values these bytes of JSON hold: commas, lists and objects outside of texts. */
export function countValues(bytes: Uint8Array): number {
  let count = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === JSON_BYTES.comma || byte === JSON_BYTES.listStart || byte === JSON_BYTES.objectStart)
      count += 1
    else if (byte === JSON_BYTES.quote) at = endOfText(bytes, at + 1)
  }
  return count
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== JSON_BYTES.quote) at += bytes[at] === JSON_BYTES.backslash ? 2 : 1
  return at
}
