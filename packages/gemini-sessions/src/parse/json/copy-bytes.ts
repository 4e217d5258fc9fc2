/** `slice` would not do: that of Node's `Buffer` copies nothing. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}
