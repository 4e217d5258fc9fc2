import { parentPort, workerData } from 'node:worker_threads'
import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import { AWAY_ADVICE, describeAway, isAway, noteSeen } from '../../own-data/data-folder.ts'
import { KeepDesk } from '../keep-desk.ts'
import type { KeepTaskRequest, KeepTaskResponse, KeepWorkerData } from './keep-message.ts'

/** How often it is told how far a look is. */
const TOLD_MS = 300

const port = parentPort
if (port === null) throw new Error('Sessions are kept in a worker thread only.')

const { dataFolder, homes }: KeepWorkerData = workerData
// It was there when the program started, and is not made again by this thread.
noteSeen(dataFolder)
// What is wrong with the settings is told by whoever changes them.
const desk = new KeepDesk({ dataFolder, homes, tell: () => {} })
let lastRun: Promise<unknown> = Promise.resolve()
const tell = (response: KeepTaskResponse) => port.postMessage(response)

port.on('message', async (request: KeepTaskRequest) => {
  const { id } = request
  try {
    if (isAway(dataFolder)) throw new Error(`the data folder ${describeAway(dataFolder)}; ${AWAY_ADVICE}`)
    if (request.task === 'forget') return tell({ id, erased: await desk.forget(request.request) })
    const status = await fulfil(request)
    tell({ id, status, hasNews: desk.takeNews() })
  } catch (error) {
    tell({ id, failure: error instanceof Error ? error.message : String(error) })
  }
})

async function fulfil(request: Exclude<KeepTaskRequest, { task: 'forget' }>): Promise<KeepStatus | null> {
  if (request.task === 'bring-out') {
    await desk.bringOut(request.homePath)
    return null
  }
  if (request.task === 'change') await change(request.change)
  if (request.task === 'run') {
    // One after the other: what changed during one is seen by the next.
    const run = lastRun.catch(() => {}).then(look)
    lastRun = run
    await run
  }
  return desk.status()
}

async function change({ erase, ...change }: KeepChange): Promise<void> {
  if (erase !== true) return desk.change(change)
  desk.change({ ...change, enabled: false })
  await desk.erase(() => tell({ running: { waiting: true, done: 0, total: 0 } }))
}

function look(): Promise<unknown> {
  let toldMs = Number.NEGATIVE_INFINITY
  return desk.run({
    onProgress: (done, total) => {
      if (performance.now() - toldMs < TOLD_MS) return
      toldMs = performance.now()
      tell({ running: { waiting: false, done, total } })
    },
    onWait: () => tell({ running: { waiting: true, done: 0, total: 0 } }),
  })
}
