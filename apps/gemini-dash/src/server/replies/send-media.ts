import type { FastifyReply } from 'fastify'
import { mediaHeaders } from './media-headers.ts'

/** Sends bytes that a record holds. */
export function sendMedia(reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  return reply
    .headers(mediaHeaders(bytes))
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}
