import { Readable } from 'node:stream'
import type { RawRecord } from '@gemini-dash/api'
import { SCHEMA_VERSION } from '@gemini-dash/api'
import type { FastifyReply } from 'fastify'
import { streamFilePart } from 'gemini-sessions/node'
import type { RecordInFile } from '../../store/messages/raw-record.ts'
import type { Written } from '../../store/messages/written.ts'

const VERSION = Buffer.from(`{"schemaVersion":${SCHEMA_VERSION},`)

export function sendWritten({ json }: Written<unknown>, reply: FastifyReply): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(withWrittenVersion(json))
}

/** Each answer says by which schemas it is made; those that were written before say it through `withWrittenVersion`. */
export function withVersion<Answer extends object>(answer: Answer): Answer & { schemaVersion: number } {
  return { schemaVersion: SCHEMA_VERSION, ...answer }
}

/** The same of the bytes of an object that is not empty. */
function withWrittenVersion(json: Uint8Array): Buffer {
  return Buffer.concat([VERSION, json.subarray(1)])
}

/** A record as its file holds it, piece by piece where it is large. */
export function sendRawRecord(record: Written<RawRecord> | RecordInFile, reply: FastifyReply): FastifyReply {
  if ('json' in record) return sendWritten(record, reply)
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(piecesOf(record), { objectMode: false }))
}

async function* piecesOf({ head, part }: RecordInFile): AsyncGenerator<Uint8Array> {
  yield withWrittenVersion(Buffer.from(head))
  yield* streamFilePart(part)
  yield Buffer.from('}')
}
