import { Worker } from 'node:worker_threads'
import type { ShardFound } from '../find/shard-found.ts'
import type { IndexGroup, OnIndexed } from '../index-group.ts'
import type { IndexSearchRequest } from '../index-search.ts'
import type { ShardCallName, ShardCalls, ShardMessage, ShardWorkerData } from '../shard/shard-message.ts'

export interface ShardClientOptions extends ShardWorkerData {
  workerUrl: URL
  workerExecArgv: string[]
  onNote: (note: string) => void
}

/** A third of what V8 takes by itself: measured, that made building no slower and a thread some 20 MB smaller. */
const YOUNG_GENERATION_MB = 16

type AnyAnswer = ShardCalls[ShardCallName]['answer']

interface PendingCall {
  name: ShardCallName
  argument: unknown
  /** Groups of an update that are not indexed yet. */
  groups: Map<string, IndexGroup> | null
  onIndexed: OnIndexed
  onPartial: (found: ShardFound) => void
  resolve: (answer: AnyAnswer) => void
  reject: (error: Error) => void
}

/**
 * The main thread's end of a shard. When the worker dies, because a file was too much for it, a new one
 * takes over: the group of that file is reported as failed and everything else is asked again.
 */
export class ShardClient {
  readonly #options: ShardClientOptions
  readonly #pending = new Map<number, PendingCall>()
  /** null while it rests. */
  #worker: Worker | null
  #lastId = 0
  #lastAskedMs = performance.now()
  #readingGroupId: string | null = null
  #readingSinceMs = 0
  #deathReason = 'it ended unexpectedly'
  /** Why no more calls are taken. */
  #end: Error | null = null
  #onReady: () => void = () => {}
  #onFailedStart: (error: Error) => void = () => {}

  constructor(options: ShardClientOptions) {
    this.#options = options
    this.#worker = this.#startWorker()
  }

  /** Resolves when the worker has opened its database. To be called once, right after the start. */
  whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onReady = resolve
      this.#onFailedStart = reject
    })
  }

  call<Name extends ShardCallName>(
    name: Name,
    argument: ShardCalls[Name]['argument'],
  ): Promise<ShardCalls[Name]['answer']> {
    return this.#send(name, argument, {})
  }

  /** Asks for the hits; an abort stops the search at once. */
  async find(
    request: IndexSearchRequest,
    onPartial: (found: ShardFound) => void,
    signal: AbortSignal | undefined,
  ): Promise<ShardFound> {
    const found = this.#send('find', request, { onPartial })
    const id = this.#lastId
    const cancel = () => void this.call('cancel', id).catch(() => {})
    signal?.addEventListener('abort', cancel)
    return found.finally(() => signal?.removeEventListener('abort', cancel))
  }

  async update(groups: IndexGroup[], onIndexed: OnIndexed): Promise<void> {
    await this.#send('update', groups, {
      groups: new Map(groups.map((group) => [group.id, group])),
      onIndexed,
    })
  }

  /**
   * Ends the thread where nothing was asked of it for so long and nothing would be lost: it gives back some 60 MB. What is
   * asked next starts another. true: it was ended now.
   */
  async rest(idleMs: number): Promise<boolean> {
    const isBusy = this.#pending.size > 0 || performance.now() - this.#lastAskedMs < idleMs
    if (this.#worker === null || this.#end !== null || isBusy || !(await this.call('rest', null)))
      return false
    void this.#endWorker()
    if (this.#pending.size > 0) this.wake()
    return true
  }

  /** Starts the thread again, so that the next question need not wait for that. true: it was resting. */
  wake(): boolean {
    if (this.#worker !== null || this.#end !== null) return false
    this.#lastAskedMs = performance.now()
    this.#worker = this.#startWorker()
    for (const [id, call] of this.#pending) this.#sendAgain(id, call, null)
    return true
  }

  async close(): Promise<void> {
    if (this.#end !== null) return
    const closed = this.#worker === null ? null : this.call('close', null)
    this.#end = new Error('The index is closed.')
    await closed?.catch(() => {})
    await this.#endWorker()
    this.#rejectAll(this.#end)
  }

  #send<Name extends ShardCallName>(
    name: Name,
    argument: ShardCalls[Name]['argument'],
    watch: Partial<Pick<PendingCall, 'groups' | 'onIndexed' | 'onPartial'>>,
  ): Promise<ShardCalls[Name]['answer']> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) {
        reject(this.#end)
        return
      }
      this.wake()
      const id = ++this.#lastId
      this.#lastAskedMs = performance.now()
      this.#pending.set(id, { ...NOT_WATCHED, ...watch, name, argument, resolve, reject })
      this.#worker?.postMessage({ id, name, argument })
    })
  }

  async #endWorker(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    worker?.removeAllListeners('exit')
    await worker?.terminate()
  }

  #startWorker(): Worker {
    const { workerUrl, workerExecArgv, path, driver } = this.#options
    const workerData: ShardWorkerData = { path, driver }
    const worker = new Worker(workerUrl, {
      workerData,
      execArgv: workerExecArgv,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    worker.on('message', (message: ShardMessage) => this.#receive(message))
    worker.on('error', (error) => {
      this.#deathReason = error.message
    })
    worker.on('exit', () => this.#replaceDead())
    return worker
  }

  #receive(message: ShardMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#onReady()
        return
      case 'note':
        this.#options.onNote(message.note)
        return
      case 'reading':
        this.#readingGroupId = message.groupId
        this.#readingSinceMs = performance.now()
        return
      case 'indexed': {
        this.#readingGroupId = null
        const call = this.#pending.get(message.id)
        call?.groups?.delete(message.group.id)
        call?.onIndexed(message.group, performance.now() - this.#readingSinceMs)
        return
      }
      case 'partial':
        this.#pending.get(message.id)?.onPartial(message.found)
        return
      case 'answer':
        this.#pending.get(message.id)?.resolve(message.answer)
        this.#pending.delete(message.id)
        return
      case 'failure':
        this.#pending.get(message.id)?.reject(new Error(message.message))
        this.#pending.delete(message.id)
    }
  }

  #replaceDead(): void {
    if (this.#end !== null) {
      this.#rejectAll(this.#end)
      return
    }
    const culprit = this.#readingGroupId
    this.#readingGroupId = null
    const error = new Error(`An index worker died: ${this.#deathReason}`)
    this.#onFailedStart(error)
    if (culprit === null) {
      // Nothing to leave out, so it would only die again.
      this.#end = error
      this.#rejectAll(error)
      return
    }
    this.#worker = this.#startWorker()
    for (const [id, call] of this.#pending) this.#sendAgain(id, call, culprit)
  }

  /** `culprit`: the group that ended the worker before, if one did. */
  #sendAgain(id: number, call: PendingCall, culprit: string | null): void {
    const failed = call.groups?.get(culprit ?? '')
    if (failed !== undefined) {
      call.groups?.delete(failed.id)
      const { id, fingerprint } = failed
      call.onIndexed({ id, fingerprint, sessions: [], failure: this.#deathReason }, 0)
    }
    const argument = call.groups === null ? call.argument : [...call.groups.values()]
    this.#worker?.postMessage({ id, name: call.name, argument })
  }

  #rejectAll(error: Error): void {
    for (const call of this.#pending.values()) call.reject(error)
    this.#pending.clear()
  }
}

const NOT_WATCHED = { groups: null, onIndexed: () => {}, onPartial: () => {} }
