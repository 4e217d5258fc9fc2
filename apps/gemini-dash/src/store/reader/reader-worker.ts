import { parentPort, workerData } from 'node:worker_threads'
import { startHeartbeat } from './heartbeat.ts'
import type { ReaderRequest, ReaderResponse, ReaderWorkerData } from './reader-client.ts'
import { SessionAnswerer } from './session-answerer.ts'
import { ChangedFileError } from './session-place.ts'

const port = parentPort
if (port === null) throw new Error('The session reader runs in a worker thread only.')

const { heartbeat }: ReaderWorkerData = workerData
startHeartbeat(heartbeat)
const reader = new SessionAnswerer()

port.on('message', async (request: ReaderRequest) => {
  const response = await answer(request)
  try {
    port.postMessage(response)
  } catch {
    // it cannot be cloned, and the caller would wait forever
    port.postMessage({ id: request.id, fault: 'reader-unsendable' } satisfies ReaderResponse)
  }
})
// The question is unknown: ending this thread makes all questions be asked again, one by one.
port.on('messageerror', (error) => {
  throw error
})

async function answer(request: ReaderRequest): Promise<ReaderResponse> {
  const { id } = request
  try {
    return { id, answer: await reader.answer(request.question, request.args) }
  } catch (error) {
    if (error instanceof ChangedFileError) return { id, fault: 'unavailable' }
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
