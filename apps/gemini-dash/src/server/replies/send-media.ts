import { closeSync, createReadStream, readSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import type { OpenedNeighbour } from 'gemini-sessions/node'

/** So many bytes of the beginning are enough. */
const MEDIA_HEAD_BYTES = 16

/** Sends bytes that a record holds. */
export function sendMedia(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  return reply
    .headers(mediaHeaders(bytes))
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Sends an open file piece by piece, however large it is, and closes it. */
export function sendFile(
  reply: FastifyReply,
  { descriptor, sizeBytes }: OpenedNeighbour,
  { limitBytes, isBodyWanted }: { limitBytes: number | undefined; isBodyWanted: boolean },
): FastifyReply {
  const length = Math.min(sizeBytes, limitBytes ?? sizeBytes)
  reply.headers(mediaHeaders(readHead(descriptor)))
  if (!isBodyWanted || length === 0) {
    closeSync(descriptor)
    return reply.send(isBodyWanted ? '' : undefined)
  }
  // Ends where the file ended when it was opened: the CLI may be writing it.
  return reply.send(createReadStream('', { fd: descriptor, start: 0, end: length - 1 }))
}

function readHead(descriptor: number): Uint8Array {
  const head = Buffer.alloc(MEDIA_HEAD_BYTES)
  return head.subarray(0, readSync(descriptor, head, 0, MEDIA_HEAD_BYTES, 0))
}

/**
 * A picture is shown; anything else, whatever its record or its name calls it, was written by a model or a tool: saved,
 * never opened by the browser. `head`: the first bytes.
 */
function mediaHeaders(head: Uint8Array): Record<string, string> {
  const mediaType = mediaTypeOf(head)
  if (mediaType !== null) return { 'Content-Type': mediaType }
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
}

/** Of the five kinds of picture that a browser may draw, told by their first bytes; null for anything else. */
export function mediaTypeOf(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, MEDIA_HEAD_BYTES)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp'
  if (head.slice(4, 8) === 'ftyp' && ['avif', 'avis'].includes(head.slice(8, 12))) return 'image/avif'
  return null
}
