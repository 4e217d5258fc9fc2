import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into the server before its own code: measures how late its event loop is between two messages.
const RESOLUTION_MS = 10

if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  process.on('message', (message) => {
    if (message === 'start') histogram.enable()
    if (message !== 'stop') return
    histogram.disable()
    // Each sample is the time between two looks, which are that far apart when nothing is late.
    process.send(Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS))
  })
  process.channel.unref()
}
