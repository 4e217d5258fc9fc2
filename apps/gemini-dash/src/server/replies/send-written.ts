import type { FastifyReply } from 'fastify'
import type { Written } from '../../store/messages/written.ts'

export function sendWritten({ json }: Written<unknown>, reply: FastifyReply): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .send(Buffer.from(json.buffer, json.byteOffset, json.byteLength))
}
