import { parentPort } from 'node:worker_threads'
import type { Reader, ReaderQuestion, ReaderRequest, ReaderResponse } from './reader-question.ts'
import { SessionReader } from './session-reader.ts'

const port = parentPort
if (port === null) throw new Error('The session reader runs in a worker thread only.')

const reader: Reader = new SessionReader()

port.on('message', async (request: ReaderRequest) => {
  port.postMessage(await answer(request))
})

async function answer<Q extends ReaderQuestion>({
  id,
  question,
  args,
}: ReaderRequest<Q>): Promise<ReaderResponse> {
  const ask: Reader[Q] = reader[question]
  try {
    return { id, answer: await ask.call(reader, args) }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
