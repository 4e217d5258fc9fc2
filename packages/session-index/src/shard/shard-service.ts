import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { IndexGroup, IndexSearchRequest } from '../contract.ts'
import { isThreadFault } from '../database/shard-database.ts'
import type { ShardFound } from '../find/hits.ts'
import { readLooseGroup } from '../source/read-group.ts'
import type { LastingStore } from '../store/shard-store.ts'
import { Shard, type ShardOptions } from './shard.ts'
import type { OpenedShard, ShardMessage, ShardRequest } from './shard-message.ts'

const LOOK_AGAIN_MS = 5

type ServiceOptions = Pick<
  ShardOptions,
  'driver' | 'folderId' | 'owner' | 'path' | 'onProblem' | 'onLost' | 'loadMaker'
> &
  Pick<OpenedShard, 'openings' | 'longFrom'>

/** Reads groups into the tables of a shard, and searches them. */
export function openService(
  store: LastingStore,
  { openings, longFrom, ...options }: ServiceOptions,
  post: (message: ShardMessage) => void,
): ShardService {
  /** Yields one turn of the event loop, and more while a session is being opened. */
  const giveWay = async (): Promise<void> => {
    await setImmediate()
    while (openings !== undefined && Atomics.load(openings, 0) > 0) await sleep(LOOK_AGAIN_MS)
  }
  const shard = new Shard(
    {
      ...options,
      ...(longFrom && { longFrom }),
      // Loaded on first use: a warm start reads no session.
      readGroup: async ({ files, claims, loose }) => {
        if (loose !== undefined) return readLooseGroup({ loose, claims })
        const { readSessionGroup } = await import('gemini-sessions/node')
        return readSessionGroup(files, { claims, giveWay })
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
      onUnread: (groupId, files) => post({ kind: 'unread', groupId, files }),
    },
    store,
  )
  return new ShardService(shard, post)
}

/**
 * Each commit writes a segment of what FTS5 has collected, which has to be merged later, and a kill only costs repeated work: so many
 * groups share one commit. Searches find uncommitted data.
 */
const COMMIT_EVERY_MS = 3_000

/** Delay of the first partial result of a search, and the growth of the next delays, since sending them takes time too. */
const FIRST_PARTIAL_MS = 150
const PARTIAL_GROWTH = 1.5

/** Answers the requests of the main thread, and indexes groups one by one in between. */
export class ShardService {
  readonly #shard: Shard
  readonly #post: (message: ShardMessage) => void
  readonly #queue = new GroupQueue()
  /** Changes run one after the other; searches run whenever a change yields. */
  #changes: Promise<void> = Promise.resolve()
  #indexing: Promise<void> | null = null
  #isClosing = false
  #isResting = false
  #committedMs = performance.now()
  #commitLater: NodeJS.Timeout | undefined
  /** Searches by request id. */
  readonly #running = new Map<number, AbortController>()

  constructor(shard: Shard, post: (message: ShardMessage) => void) {
    this.#shard = shard
    this.#post = post
    shard.onRest = (groupId) => {
      if (this.#isClosing) return
      void this.#change(() => shard.settle(groupId))
        .then(() => this.#commitWhenDue())
        .catch(endThread)
    }
  }

  async handle(request: ShardRequest): Promise<void> {
    // Requested again from the next thread.
    if (this.#isResting) return
    try {
      this.#post({ kind: 'answer', id: request.id, answer: await this.#answer(request) })
    } catch (error) {
      // Not answered: requested again from the next thread.
      if (isThreadFault(error)) return endThread(error)
      const message = error instanceof Error ? error.message : String(error)
      this.#post({ kind: 'failure', id: request.id, message })
    }
  }

  async #answer(request: ShardRequest) {
    switch (request.name) {
      // Done when the store was created.
      case 'open':
      case 'ping':
        return null
      case 'load':
        return this.#shard.store.load()
      case 'find':
        return this.#find(request.id, request.argument)
      case 'cancel':
        this.#running.get(request.argument)?.abort()
        return null
      case 'closestWords':
        return this.#shard.closestWords(request.argument)
      case 'ask':
        await this.#whenReadOn(request.argument.args.source.id)
        return this.#shard.ask(request.argument)
      case 'touchedPaths':
        return this.#shard.touchedPaths(request.argument)
      case 'commands':
        return this.#shard.commands(request.argument)
      case 'edits':
        return this.#shard.edits(request.argument)
      case 'describe':
        return this.#shard.describe(request.argument.request, request.argument.references)
      case 'update': {
        const updated = this.#queue.add(request.id, request.argument)
        this.#startIndexing()
        await updated
        // When the queue is empty it ends with a commit, which reports what could not be written to disk.
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
      case 'note': {
        const found = request.argument
        await this.#change(() => this.#shard.note(found))
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

  /** New lines of a growing log are stored sooner than the caller could read the whole log. */
  async #whenReadOn(groupId: string): Promise<void> {
    if (this.#shard.isGrowing(groupId)) await this.#queue.whenDone(groupId)
  }

  async #find(id: number, request: IndexSearchRequest): Promise<ShardFound> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    let reportedMs = performance.now()
    let waitMs = FIRST_PARTIAL_MS
    try {
      return await this.#shard.find(request, {
        signal: controller.signal,
        onPartial: (found) => {
          if (performance.now() - reportedMs < waitMs) return
          this.#post({ kind: 'partial', id, found: found() })
          reportedMs = performance.now()
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
    // After a failure the thread ends: anything started then would be blamed for it.
    this.#indexing = this.#indexAll().then(() => {
      this.#indexing = null
      // Groups may be requested while earlier ones are committed, which is part of indexing.
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

  /** After a commit the whole database is read: this may take at most a twentieth of the time. */
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
    // Enqueued at once: a later request to remove it runs after it.
    await this.#change(async () => {
      await this.#shard.loadReader()
      this.#post({ kind: 'reading', groupId: group.id })
      const indexed = await this.#shard.index(group)
      for (const { id } of updates) if (id !== null) this.#post({ kind: 'indexed', id, group: indexed })
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

/** Uncaught, so Node ends the thread and reports the reason to its owner. */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

interface Update {
  /** null: only a caller that waits for the group. */
  id: number | null
  waitingFor: number
  resolve: () => void
}

interface QueuedGroup {
  group: IndexGroup
  /** The updates that requested it; several if a later one did while it was being read. */
  updates: Update[]
}

/**
 * Groups waiting to be indexed. Updates take turns, one group each, so that a fresh change does not wait for a whole Gemini folder, and
 * constantly growing sessions do not block the rest. Within an update the given order applies.
 */
export class GroupQueue {
  /** The next one to be served is first. */
  readonly #updates: Map<string, QueuedGroup>[] = []
  /** Taken last, until it is done. */
  #running: QueuedGroup | null = null

  /** Resolves when each group is done or has been replaced by a later update of the same id. */
  add(updateId: number, groups: IndexGroup[]): Promise<void> {
    return new Promise((resolve) => {
      const update = { id: updateId, waitingFor: groups.length, resolve }
      if (groups.length === 0) resolve()
      const waiting = groups.filter(
        (group) => !this.#takePlace(group, update) && !this.#joinRunning(group, update),
      )
      this.#updates.push(new Map(waiting.map((group) => [group.id, { group, updates: [update] }])))
    })
  }

  /** A waiting group keeps its place, with the newly requested state. */
  #takePlace(group: IndexGroup, update: Update): boolean {
    for (const groups of this.#updates) {
      const queued = groups.get(group.id)
      if (queued === undefined) continue
      groups.set(group.id, { group, updates: [update] })
      this.done(queued)
      return true
    }
    return false
  }

  /** A group that is being read in the requested state is not read twice. */
  #joinRunning({ id, fingerprint }: IndexGroup, update: Update): boolean {
    const running = this.#running
    if (running?.group.id !== id || running.group.fingerprint !== fingerprint) return false
    running.updates.push(update)
    return true
  }

  /** Resolves when this group is read, dropped or replaced, if it is waiting or being read; else at once. */
  whenDone(groupId: string): Promise<void> {
    const queued = [this.#running, ...this.#updates.map((groups) => groups.get(groupId))].filter(
      (each) => each?.group.id === groupId,
    )
    if (queued.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const update = { id: null, waitingFor: queued.length, resolve }
      for (const each of queued) each?.updates.push(update)
    })
  }

  /** Removes groups that are no longer needed. */
  drop(groupIds: string[]): void {
    for (const groups of this.#updates) {
      for (const id of groupIds) {
        const queued = groups.get(id)
        if (queued !== undefined) {
          groups.delete(id)
          this.done(queued)
        }
      }
    }
  }

  get isEmpty(): boolean {
    return this.#updates.every((groups) => groups.size === 0)
  }

  next(): QueuedGroup | undefined {
    for (let update = this.#updates.shift(); update !== undefined; update = this.#updates.shift()) {
      for (const [id, queued] of update) {
        update.delete(id)
        if (update.size > 0) this.#updates.push(update)
        this.#running = queued
        return queued
      }
    }
    return undefined
  }

  done(queued: QueuedGroup): void {
    if (this.#running === queued) this.#running = null
    for (const update of queued.updates) {
      update.waitingFor -= 1
      if (update.waitingFor === 0) update.resolve()
    }
  }
}
