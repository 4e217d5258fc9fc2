import { parentPort, workerData } from 'node:worker_threads'
import type { KeepStatus } from '@gemini-dash/api'
import { KeepDesk } from '../keep-desk.ts'
import type { KeepTaskRequest, KeepTaskResponse, KeepWorkerData } from './keep-message.ts'

const port = parentPort
if (port === null) throw new Error('Sessions are kept in a worker thread only.')

const { dataFolder, homes }: KeepWorkerData = workerData
// What is wrong with the settings is told by whoever changes them.
const desk = new KeepDesk({ dataFolder, homes, tell: () => {} })
let lastRun: Promise<unknown> = Promise.resolve()

port.on('message', async (request: KeepTaskRequest) => {
  const { id } = request
  try {
    port.postMessage({ id, status: await fulfil(request) } satisfies KeepTaskResponse)
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    port.postMessage({ id, failure } satisfies KeepTaskResponse)
  }
})

async function fulfil(request: KeepTaskRequest): Promise<KeepStatus> {
  if (request.task === 'change') desk.change(request.change)
  if (request.task === 'run') {
    // One after the other: what changed during one is seen by the next.
    const run = lastRun.catch(() => {}).then(() => desk.run())
    lastRun = run
    await run
  }
  return desk.status()
}
