// Loaded into every thread before its own code: as long as the file FAULT_CONTROL stands, each thread that the serving one
// started ends at a random moment, by an exception or by an exit. The file holds how long it may live at most.
const { existsSync, readFileSync } = require('node:fs')
const { threadId } = require('node:worker_threads')

/** The main thread has 0, and the one that serves 1. */
const SERVING_THREAD = 1
const control = process.env.FAULT_CONTROL

if (threadId > SERVING_THREAD && existsSync(control)) {
  const { longestMs, seed } = JSON.parse(readFileSync(control, 'utf8'))
  const random = (salt) => (Math.imul(seed + threadId * 7919 + salt, 2654435761) >>> 0) / 2 ** 32
  setTimeout(() => {
    if (!existsSync(control)) return
    if (random(1) < 0.5) process.exit(3)
    throw new Error('this thread ends, as the fault kit wants it')
  }, random(0) * longestMs).unref()
}
