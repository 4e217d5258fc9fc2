import type { FastifyReply } from 'fastify'
import { mediaTypeOf } from './media-type.ts'

/**
 * A picture is shown; anything else, whatever its record calls it, was written by a model or a tool:
 * saved, never opened by the browser.
 */
export function sendMedia(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mediaType = mediaTypeOf(body)
  if (mediaType !== null) return reply.type(mediaType).send(body)
  return reply
    .type('application/octet-stream')
    .header('Content-Disposition', 'attachment')
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .send(body)
}
