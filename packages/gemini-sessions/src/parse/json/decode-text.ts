/** `ignoreBOM` keeps the mark, so that it is seen and taken off where it is allowed. Bad UTF-8 becomes U+FFFD, as in the CLI. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
