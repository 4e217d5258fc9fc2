const encoder = new TextEncoder()

/** How long a text is as UTF-8, in bytes. A Blob would tell too, but has the browser ask another process. */
export function byteSize(text: string): number {
  return encoder.encode(text).length
}
