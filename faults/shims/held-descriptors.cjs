// Loaded into every thread before its own code: so many descriptors of the process as HELD says are taken, until the file
// FAULT_CONTROL is gone. They are all of one process, so one thread takes them.
const { closeSync, existsSync, openSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

const LOOK_MS = 100

if (isMainThread) {
  const held = Array.from({ length: Number(process.env.HELD) }, () => openSync('/dev/null', 'r'))
  setInterval(() => {
    if (!existsSync(process.env.FAULT_CONTROL)) for (const descriptor of held.splice(0)) closeSync(descriptor)
  }, LOOK_MS).unref()
}
