import { setImmediate } from 'node:timers/promises'
import type { IndexSearchRequest } from '../contract/index-search.ts'
import { isThreadFault } from '../database/is-database-error.ts'
import type { ShardFound } from '../find/hits/shard-found.ts'
import { GroupQueue } from './group-queue.ts'
import type { Shard } from './shard.ts'
import type { ShardMessage, ShardRequest } from './shard-message.ts'

/**
 * Each commit makes a segment of what FTS5 has collected, which has to be merged later, and what a kill loses is only
 * work: so many groups share one. Searches find what is not committed yet.
 */
const COMMIT_EVERY_MS = 3_000

/** After how long a search tells what it has found so far, and how much longer it waits each time: telling takes time too. */
const FIRST_PARTIAL_MS = 150
const PARTIAL_GROWTH = 1.5

/** Answers the requests of the main thread; indexes groups one after the other in between. */
export class ShardService {
  readonly #shard: Shard
  readonly #post: (message: ShardMessage) => void
  readonly #queue = new GroupQueue()
  /** Changes run one after the other; searches run whenever a change pauses. */
  #changes: Promise<void> = Promise.resolve()
  #indexing: Promise<void> | null = null
  #isClosing = false
  #isResting = false
  #committedMs = performance.now()
  #commitLater: NodeJS.Timeout | undefined
  /** Searches by the id of their request. */
  readonly #running = new Map<number, AbortController>()

  constructor(shard: Shard, post: (message: ShardMessage) => void) {
    this.#shard = shard
    this.#post = post
  }

  async handle(request: ShardRequest): Promise<void> {
    // The thread that comes after this one is asked again.
    if (this.#isResting) return
    try {
      this.#post({ kind: 'answer', id: request.id, answer: await this.#answer(request) })
    } catch (error) {
      // Not answered: the thread that comes after this one is asked again.
      if (isThreadFault(error)) return endThread(error)
      const message = error instanceof Error ? error.message : String(error)
      this.#post({ kind: 'failure', id: request.id, message })
    }
  }

  async #answer(request: ShardRequest) {
    switch (request.name) {
      case 'ping':
        return null
      case 'load':
        return this.#shard.load(request.argument)
      case 'find':
        return this.#find(request.id, request.argument)
      case 'cancel':
        this.#running.get(request.argument)?.abort()
        return null
      case 'closestWords':
        return this.#shard.closestWords(request.argument)
      case 'touchedPaths':
        return this.#shard.touchedPaths(request.argument)
      case 'describe':
        return this.#shard.describe(request.argument.request, request.argument.references)
      case 'update': {
        const updated = this.#queue.add(request.id, request.argument)
        this.#startIndexing()
        await updated
        // With nothing left to do it ends with a commit, which tells what the disk did not take.
        if (this.#queue.isEmpty) await this.#indexing
        return null
      }
      case 'remove': {
        const groupIds = request.argument
        this.#queue.drop(groupIds)
        await this.#change(() => this.#shard.remove(groupIds))
        await this.#commitWhenDue()
        return null
      }
      case 'beginAnew':
        await this.#change(async () => this.#shard.beginAnew())
        await this.#commit()
        return null
      case 'leaveDisk':
        this.#shard.leaveDisk()
        return null
      case 'rest':
        return this.#rest()
      case 'close':
        return this.#close(true)
    }
  }

  async #find(id: number, request: IndexSearchRequest): Promise<ShardFound> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    let toldMs = performance.now()
    let waitMs = FIRST_PARTIAL_MS
    try {
      return await this.#shard.find(request, {
        signal: controller.signal,
        onPartial: (found) => {
          if (performance.now() - toldMs < waitMs) return
          this.#post({ kind: 'partial', id, found: found() })
          toldMs = performance.now()
          waitMs *= PARTIAL_GROWTH
        },
      })
    } finally {
      this.#running.delete(id)
    }
  }

  async #rest(): Promise<boolean> {
    await this.#changes
    if (this.#shard.isInMemory || this.#indexing !== null || this.#running.size > 0) return false
    this.#isResting = true
    await this.#close(false)
    return true
  }

  async #close(isHurried: boolean): Promise<null> {
    this.#isClosing = true
    clearTimeout(this.#commitLater)
    await this.#change(async () => this.#shard.close({ isHurried }))
    return null
  }

  #startIndexing(): void {
    if (this.#indexing !== null || this.#isClosing) return
    // After a failure the thread ends: what is begun then would be blamed for it.
    this.#indexing = this.#indexAll().then(() => {
      this.#indexing = null
      // Asked for while what was read before is kept on disk, which is part of it.
      if (!this.#queue.isEmpty) this.#startIndexing()
    })
    this.#indexing.catch(endThread)
  }

  async #indexAll(): Promise<void> {
    while (!this.#isClosing && (await this.#indexNext())) {
      if (this.#commitIsDueMs(COMMIT_EVERY_MS) <= 0) await this.#commit()
      await setImmediate()
    }
    await this.#commitWhenDue()
  }

  async #commitWhenDue(): Promise<void> {
    if (this.#isClosing) return
    const waitMs = this.#commitIsDueMs(0)
    clearTimeout(this.#commitLater)
    if (waitMs <= 0) await this.#commit()
    else this.#commitLater = setTimeout(() => void this.#commit(), waitMs)
  }

  /** What follows a commit looks at the whole database: it is to take no more than a twentieth of the time. */
  #commitIsDueMs(leastMs: number): number {
    return Math.max(leastMs, 20 * this.#shard.sealMs) - (performance.now() - this.#committedMs)
  }

  async #commit(): Promise<void> {
    if (this.#isClosing) return
    await this.#change(() => this.#shard.commit())
    this.#committedMs = performance.now()
  }

  /** false when nothing is left to do. */
  async #indexNext(): Promise<boolean> {
    const queued = this.#queue.next()
    if (queued === undefined) return false
    const { group, updates } = queued
    // In line at once: what asks for its removal from now on has its turn after it.
    await this.#change(async () => {
      await this.#shard.loadReader()
      this.#post({ kind: 'reading', groupId: group.id })
      const indexed = await this.#shard.index(group)
      for (const { id } of updates) this.#post({ kind: 'indexed', id, group: indexed })
    })
    this.#queue.done(queued)
    return true
  }

  #change(run: () => Promise<void>): Promise<void> {
    const change = this.#changes.then(run)
    this.#changes = change.catch(() => {})
    return change
  }
}

/** As nobody catches it, Node ends the thread and tells its owner why. */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
