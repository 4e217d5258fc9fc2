import { setImmediate, setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Shard } from './shard/shard.ts'
import type { ShardMessage, ShardWorkerData } from './shard/shard-message.ts'
import { ShardService } from './shard/shard-service.ts'

// Entry of a shard's thread. Started by ShardClient only.
const port = parentPort
if (port === null) throw new Error('This file is the index worker; it runs as a worker thread.')

/** Late enough to take nothing from a start, early enough for whoever searches first. */
const PREPARE_AFTER_MS = 1_000
const LOOK_AGAIN_MS = 5

const { path, folderId, driver, openings }: ShardWorkerData = workerData
const post = (message: ShardMessage) => port.postMessage(message)
/** One turn of the loop, and as many as there are while a session is being opened. */
const giveWay = async (): Promise<void> => {
  await setImmediate()
  while (openings !== undefined && Atomics.load(openings, 0) > 0) await setTimeout(LOOK_AGAIN_MS)
}
const shard = new Shard({
  path,
  folderId,
  driver,
  // Loaded when first needed: a warm start reads no session.
  readGroup: async ({ files, claims, loose }) => {
    const { readLooseSessions, readSessionGroup } = await import('gemini-sessions/node')
    return loose === undefined ? readSessionGroup(files, { claims, giveWay }) : readLooseSessions(loose)
  },
  loadReader: () => import('gemini-sessions/node'),
  openGrowing: async () => new (await import('gemini-sessions/node')).GrowingSessionGroup({ giveWay }),
  openLarge: async () =>
    new (await import('gemini-sessions/node')).GrowingSessionGroup({
      putsTextsAside: true,
      isReadOnce: true,
      giveWay,
    }),
  giveWay,
  onProblem: (problem) => post({ kind: 'problem', problem }),
  onLost: (groupIds) => post({ kind: 'lost', groupIds }),
  onUnread: (groupId, files) => post({ kind: 'unread', groupId, files }),
})
const service = new ShardService(shard, post)
port.on('message', (request) => void service.handle(request))
port.on('messageerror', (error) => {
  // Asked again, in a new thread.
  throw error
})
post({ kind: 'ready', held: shard.held(), problem: shard.problem })
globalThis.setTimeout(() => shard.prepare(), PREPARE_AFTER_MS)
