const { monitorEventLoopDelay } = require('node:perf_hooks')
const { BroadcastChannel, isMainThread, threadId } = require('node:worker_threads')

// Loaded into every thread of the server before its own code: measures how late the event loop of the thread that serves
// is between two messages.
const RESOLUTION_MS = 10
/** The main thread starts one that serves, and that one all others. */
const SERVING_THREAD = 1

if (isMainThread && process.channel) {
  const channel = new BroadcastChannel('loop-delay')
  channel.onmessage = ({ data }) => process.send(data)
  channel.unref()
  process.on('message', (message) => channel.postMessage(message))
  process.channel.unref()
}

if (threadId === SERVING_THREAD) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const channel = new BroadcastChannel('loop-delay')
  channel.onmessage = ({ data }) => {
    if (data === 'start') histogram.enable()
    if (data !== 'stop') return
    histogram.disable()
    // Each sample is the time between two looks, which are that far apart when nothing is late.
    channel.postMessage(Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS))
  }
  channel.unref()
}
