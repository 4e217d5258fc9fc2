import { parentPort, workerData } from 'node:worker_threads'
import type { ReaderRequest, ReaderResponse, ReaderWorkerData } from './lanes/reader-question.ts'
import { beat } from './lanes/sign-of-life.ts'
import { ChangedFileError } from './place/changed-file-error.ts'
import { SessionAnswerer } from './session-answerer.ts'
import { DetailFolder } from './skeleton/detail-folder.ts'
import { SkeletonFolder } from './skeleton/skeleton-folder.ts'

const port = parentPort
if (port === null) throw new Error('The session reader runs in a worker thread only.')

const { skeletonDirectory: directory, heart }: ReaderWorkerData = workerData
beat(heart)
const reader = directory === null ? new SessionAnswerer() : keepingReader(directory)

port.on('message', async (request: ReaderRequest) => {
  const response = await answer(request)
  try {
    port.postMessage(response)
  } catch {
    // it cannot be cloned, and whoever asked would wait for ever
    port.postMessage({ id: request.id, fault: 'reader-unsendable' } satisfies ReaderResponse)
  }
})
// Nobody knows what was asked: with this thread all questions are put again, one by one.
port.on('messageerror', (error) => {
  throw error
})

function keepingReader(folder: string): SessionAnswerer {
  const tell = (problem: string | null) => port?.postMessage({ problem } satisfies ReaderResponse)
  return new SessionAnswerer(
    new SkeletonFolder(folder, undefined, tell),
    new DetailFolder(folder, undefined, tell),
  )
}

async function answer(request: ReaderRequest): Promise<ReaderResponse> {
  const { id } = request
  try {
    if (request.question === 'prepare') return { id, answer: await reader.prepare(request.args) }
    return { id, answer: await reader.answer(request.question, request.args) }
  } catch (error) {
    if (error instanceof ChangedFileError) return { id, fault: 'unavailable' }
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
