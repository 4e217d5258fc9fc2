import { existsSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { Shard } from '../src/shard/shard.ts'
import { ShardService } from '../src/shard/shard-service.ts'
import { makeMessage, makeSession, text } from './make-session.ts'

// A real worker, except for reading: the group "poison" kills the thread, like a file too large for its memory, and "trap" fails like
// WebAssembly. The first thread that reads a group named by a path ends there, and leaves a file.
const shard = new Shard({
  path: null,
  folderId: 'folder',
  driver: 'node-sqlite3-wasm',
  readGroup: async ({ id }) => {
    if (id === 'poison') process.exit(1)
    if (id.includes('/') && !existsSync(id)) {
      writeFileSync(id, '')
      process.exit(1)
    }
    if (id === 'trap') throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' })
    return [makeSession(id, [makeMessage({ key: 'm', content: text(`hello from ${id}`) })])]
  },
  onProblem: () => {},
  onLost: () => {},
  onUnread: () => {},
})
const service = new ShardService(shard, (message) => parentPort?.postMessage(message))
parentPort?.on('message', (request) => void service.handle(request))
parentPort?.postMessage({ kind: 'ready', held: shard.store.held(), problem: null })
