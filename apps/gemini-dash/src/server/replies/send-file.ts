import { closeSync, createReadStream, readSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import type { OpenedNeighbour } from 'gemini-sessions/node'
import { mediaHeaders } from './media-headers.ts'
import { MEDIA_HEAD_BYTES } from './media-type.ts'

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
