// A thread of the index that ends as it is told: the word that is looked for is the way.
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
  'never answers': () => {},
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

parentPort.on('message', ({ id, name, argument }) => {
  if (name === 'find') (WAYS[argument.pattern] ?? (() => answer(id, FOUND)))(id)
  else if (name === 'update') {
    for (const group of argument)
      parentPort.postMessage({ kind: 'indexed', id, group: { ...group, sessions: [], failure: null } })
    answer(id, null)
  } else answer(id, null)
})
parentPort.postMessage({ kind: 'ready', held: [], problem: null })
