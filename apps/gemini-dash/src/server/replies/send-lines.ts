import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { withVersion } from './send-written.ts'

const LINES_TYPE = 'application/x-ndjson'

/**
 * Sends an answer that grows as lines of JSON: partial ones while it is made, the complete one last, written as it would
 * be alone. A failure before the first line is an answer of its own; a later one cuts the connection.
 */
export async function sendLines<Answer extends object>(
  reply: FastifyReply,
  make: (onPartial: (partial: Answer) => void) => Promise<Answer>,
): Promise<FastifyReply> {
  const lines = new PassThrough()
  let isBegun = false
  const write = (answer: Answer) => {
    if (!isBegun) void reply.type(LINES_TYPE).send(lines)
    isBegun = true
    lines.write(`${JSON.stringify(withVersion(answer))}\n`)
  }
  try {
    // To a reader that is behind, only what comes later is worth sending.
    const answer = await make((partial) => !lines.writableNeedDrain && write(partial))
    write(answer)
    lines.end()
  } catch (error) {
    if (!isBegun) throw error
    lines.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  return reply
}

/** Is that what the client would rather have than one JSON text? */
export function wantsLines(accept: string | undefined): boolean {
  return accept?.split(',').some((type) => type.split(';')[0]?.trim() === LINES_TYPE) === true
}
