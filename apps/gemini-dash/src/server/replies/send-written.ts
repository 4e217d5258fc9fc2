import type { FastifyReply } from 'fastify'
import type { Written } from '../../store/messages/written.ts'
import { withWrittenVersion } from './with-version.ts'

export function sendWritten({ json }: Written<unknown>, reply: FastifyReply): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(withWrittenVersion(json))
}
