// Loaded into every thread: the one that serves goes round in circles once, as soon as the file HANG_CONTROL is there.
const { existsSync, rmSync } = require('node:fs')
const { isMainThread, workerData } = require('node:worker_threads')

const LOOK_MS = 20
const control = process.env.HANG_CONTROL

if (!isMainThread && workerData?.heartbeat && 'positionals' in workerData)
  setInterval(() => {
    if (!existsSync(control)) return
    rmSync(control)
    for (;;);
  }, LOOK_MS)
