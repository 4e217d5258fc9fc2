// Loaded into every thread before its own code: writes every other second what its heap holds and what hangs on it into a file
// of MEMORY_FOLDER. With MEMORY_COLLECTS what nobody needs any more is collected before, so that what is told is in use.
const { renameSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const { threadId } = require('node:worker_threads')

const INTERVAL_MS = 2_000
const path = join(process.env.MEMORY_FOLDER, String(threadId))
let collect = () => undefined
if (process.env.MEMORY_COLLECTS === 'true') {
  setFlagsFromString('--expose-gc')
  collect = runInNewContext('gc')
}

setInterval(() => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync(`${path}.new`, String(heapUsed + external))
  renameSync(`${path}.new`, path)
}, INTERVAL_MS).unref()
process.once('exit', () => rmSync(path, { force: true }))
