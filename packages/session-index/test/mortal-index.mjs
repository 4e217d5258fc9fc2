// A thread of the index that ends on request: the searched word says how.
import { readlinkSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

const answer = (id, answer) => parentPort.postMessage({ kind: 'answer', id, answer })
const FOUND = 'found by a thread'

const WAYS = {
  throws: () => {
    throw new Error('thrown under a question')
  },
  exits: () => process.exit(3),
  hangs: () => {
    for (;;);
  },
  // as on a machine that gives the thread no time
  waits: (id) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
    answer(id, FOUND)
  },
  'waits forever': () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
  'never answers': () => {},
  'runs out of memory': () => {
    const held = []
    for (;;) held.push(new Array(100_000).fill(held.length + 0.5))
  },
  'answers what cannot be read': (id) => answer(id, nested(6_000)),
  'throws at rest': (id) => {
    answer(id, FOUND)
    setTimeout(() => {
      throw new Error('thrown at rest')
    }, 20)
  },
  'exits at rest': (id) => {
    answer(id, FOUND)
    setTimeout(() => process.exit(4), 20)
  },
}

// A thread has a larger stack than its parent, so it can send values that cannot be read there.
function nested(depth) {
  let value = []
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

function numberOfThread() {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
}

parentPort.on('message', ({ id, name, argument }) => {
  if (name === 'find') (WAYS[argument.pattern] ?? (() => answer(id, FOUND)))(id)
  else if (name === 'update') {
    for (const group of argument)
      parentPort.postMessage({ kind: 'indexed', id, group: { ...group, sessions: [], failure: null } })
    answer(id, null)
  } else answer(id, null)
})
parentPort.postMessage({ kind: 'thread', number: numberOfThread() })
parentPort.postMessage({ kind: 'ready', held: [], problem: null })
