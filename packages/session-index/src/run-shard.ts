import { parentPort } from 'node:worker_threads'
import type { SessionMaker } from './contract.ts'
import { isThreadFault } from './database/shard-database.ts'
import { threadNumber } from './pool/thread-work.ts'
import type { OpenedShard, ShardMessage, ShardRequest } from './shard/shard-message.ts'
import type { ShardService } from './shard/shard-service.ts'
import { LastingStore } from './store/shard-store.ts'

type Post = (message: ShardMessage) => void
type LoadMaker = () => Promise<SessionMaker>

/**
 * The program of a shard's thread, started only by ShardClient. It loads no more than the tables need until a request needs more.
 * `loadMaker`: loads what answers questions about sessions.
 */
export function runShard(loadMaker?: LoadMaker): void {
  const port = parentPort
  if (port === null) throw new Error('This file is the index worker; it runs as a worker thread.')
  const post: Post = (message) => port.postMessage(message)
  post({ kind: 'thread', number: threadNumber() })
  let handle: ((request: ShardRequest) => void) | null = null
  port.on('message', (request: ShardRequest) => {
    if (request.name === 'open') handle = open(request.argument, post, loadMaker)
    else handle?.(request)
  })
  port.on('messageerror', (error) => {
    // Requested again from a new thread.
    throw error
  })
}

function open(opened: OpenedShard, post: Post, loadMaker: LoadMaker | undefined) {
  const hooks = {
    onProblem: (problem: string | null) => post({ kind: 'problem', problem }),
    onLost: (groupIds: string[]) => post({ kind: 'lost', groupIds }),
  }
  const store = new LastingStore({ ...opened, ...hooks })
  let service: Promise<ShardService> | null = null
  post({ kind: 'ready', held: store.held(), problem: store.problem })
  return (request: ShardRequest) => {
    if (service === null && canTablesAnswer(store, request)) return answerFromTables(store, request, post)
    service ??= import('./shard/shard-service.ts').then(({ openService }) =>
      openService(store, { ...opened, ...hooks, ...(loadMaker && { loadMaker }) }, post),
    )
    // If it cannot be loaded, the thread ends, and the request goes to the next one.
    void service.then((loaded) => loaded.handle(request))
  }
}

const CALLS = ['ping', 'load', 'note', 'close'] as const
type TableRequest = Extract<ShardRequest, { name: (typeof CALLS)[number] }>

/** Everything that a list of known sessions requests. Other requests need the rest of the thread's program. */
function canTablesAnswer(store: LastingStore, request: ShardRequest): request is TableRequest {
  // Changes are written and committed by that program.
  if (request.name === 'note') return store.isNoted(request.argument)
  return CALLS.some((name) => name === request.name)
}

async function answerFromTables(store: LastingStore, request: TableRequest, post: Post): Promise<void> {
  const { id, name } = request
  try {
    if (name === 'close') await store.close({ isHurried: true })
    post({ kind: 'answer', id, answer: name === 'load' ? store.load() : null })
  } catch (error) {
    // Not answered: requested again from the next thread.
    if (isThreadFault(error)) throw error
    post({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) })
  }
}
