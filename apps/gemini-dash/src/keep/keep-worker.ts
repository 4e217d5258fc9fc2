import { parentPort, workerData } from 'node:worker_threads'
import type { KeepChange, KeepStatus } from '@gemini-dash/api'
import { describeAway, isAway, noteSeen } from '../own-data/data-folder.ts'
import { ArchiveControl } from './archive-control.ts'
import type { KeepTaskRequest, KeepTaskResponse, KeepWorkerData } from './keeper.ts'

/** How often the progress of a scan is reported. */
const REPORT_MS = 300

const port = parentPort
if (port === null) throw new Error('Sessions are kept in a worker thread only.')

const { dataFolder, homes }: KeepWorkerData = workerData
// It existed when the program started, so this thread must not recreate it.
noteSeen(dataFolder)
let lastRun: Promise<unknown> = Promise.resolve()
/** Of the last scan. */
let isLeft = false
const tell = (response: KeepTaskResponse) => port.postMessage(response)
const control = new ArchiveControl({
  dataFolder,
  homes,
  tell: (problem, about, code) => tell({ problem, about, code }),
  looksByItself: true,
})

port.on('message', async (request: KeepTaskRequest) => {
  const { id } = request
  try {
    if (isAway(dataFolder)) throw new Error(describeAway(dataFolder))
    if (request.task === 'forget') return tell({ id, erased: await control.forget(request.request) })
    if (request.task === 'add') {
      const added = await control.addOpened(request.folder)
      return tell({ id, added, hasNews: control.takeNews() })
    }
    const status = await fulfil(request)
    tell({ id, status, hasNews: control.takeNews(), isLeft: request.task === 'run' && isLeft })
  } catch (error) {
    tell({ id, failure: error instanceof Error ? error.message : String(error) })
  }
})

async function fulfil(
  request: Exclude<KeepTaskRequest, { task: 'forget' | 'add' }>,
): Promise<KeepStatus | null> {
  if (request.task === 'bring-out') {
    await control.bringOut(request.homePath)
    return null
  }
  if (request.task === 'change') await change(request.change)
  if (request.task === 'run') {
    // One after the other: changes during a scan are seen by the next.
    const run = lastRun.catch(() => {}).then(look)
    lastRun = run
    await run
  }
  return control.status()
}

async function change({ erase, ...change }: KeepChange): Promise<void> {
  if (erase !== true) return control.change(change)
  control.change({ ...change, enabled: false })
  await control.erase(() => tell({ running: { waiting: true, done: 0, total: 0 } }))
}

async function look(): Promise<void> {
  let reportedMs = Number.NEGATIVE_INFINITY
  const runs = await control.run({
    onProgress: (done, total) => {
      if (performance.now() - reportedMs < REPORT_MS) return
      reportedMs = performance.now()
      tell({ running: { waiting: false, done, total } })
    },
    onWait: () => tell({ running: { waiting: true, done: 0, total: 0 } }),
  })
  isLeft = runs.some(({ moving }) => moving > 0)
}
