// A reader that dies in the way named by the question.
import { parentPort, workerData } from 'node:worker_threads'

const beating = setInterval(() => Atomics.add(workerData.heartbeat, 0, 1), 5)
beating.unref()

const WAYS = {
  messages: () => 'a page',
  detail: () => new Promise((resolve) => setTimeout(() => resolve('a detail'), 300)),
  // keeps working, with pauses
  transcript: async () => {
    const endMs = performance.now() + 2_500
    while (performance.now() < endMs) await new Promise((resolve) => setImmediate(resolve))
    return 'a long transcript'
  },
  'messages/:messageKey/raw': () => {
    setTimeout(() => {
      throw new Error('thrown at rest')
    })
    return new Promise(() => {})
  },
  cost: () => process.exit(3),
  waste: () => {
    for (;;);
  },
  context: () => new Promise(() => {}),
  // silent without CPU time, as on a machine that is busy with other work
  why: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000)
    return 'a late answer'
  },
  map: () => () => 'a function cannot be cloned',
  find: () => {
    const held = []
    for (;;) held.push(new Array(100_000).fill(held.length + 0.5))
  },
  // A thread has a larger stack than its parent.
  timeline: () => {
    let value = []
    for (let level = 0; level < 6_000; level += 1) value = [value]
    return value
  },
  calls: () => {
    setTimeout(() => process.exit(4), 50)
    return 'calls'
  },
}

parentPort.on('message', async ({ id, question }) => {
  const answer = await WAYS[question]()
  try {
    parentPort.postMessage({ id, answer })
  } catch {
    parentPort.postMessage({ id, fault: 'reader-unsendable' })
  }
})
