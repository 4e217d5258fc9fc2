import { Readable } from 'node:stream'
import type { RawRecord } from '@gemini-dash/api'
import type { FastifyReply } from 'fastify'
import { streamFilePart } from 'gemini-sessions/node'
import type { RecordInFile } from '../../store/messages/raw-record.ts'
import type { Written } from '../../store/messages/written.ts'
import { sendWritten } from './send-written.ts'
import { withWrittenVersion } from './with-version.ts'

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
