import { mediaTypeOf } from './media-type.ts'

/**
 * A picture is shown; anything else, whatever its record or its name calls it, was written by a model or a tool: saved,
 * never opened by the browser. `head`: the first bytes.
 */
export function mediaHeaders(head: Uint8Array): Record<string, string> {
  const mediaType = mediaTypeOf(head)
  if (mediaType !== null) return { 'Content-Type': mediaType }
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
}
