import type { UnreadFile } from 'gemini-sessions'
import type { IndexGroup, OnIndexed } from '../contract/index-group.ts'
import type { IndexSearchRequest } from '../contract/index-search.ts'
import type { ShardFound } from '../find/hits/shard-found.ts'
import type { ShardCallName, ShardCalls, ShardMessage, ShardWorkerData } from '../shard/shard-message.ts'
import { HeldGroups } from './held-groups.ts'
import { isPatient, PendingCalls, type Watch } from './pending-calls.ts'
import { RestartPause } from './restart-pause.ts'
import { ShardThread, type ShardThreadOptions } from './shard-thread.ts'

export interface ShardClientOptions extends ShardWorkerData {
  workerUrl: URL
  workerExecArgv: string[]
  resourceLimits?: ShardThreadOptions['resourceLimits']
  silenceMs: number
  /** What is asked and not answered for so long is never answered. */
  longestAnswerMs: number
  /** Why the disk does not keep what is stored here; null: it does. */
  onProblem: (problem: string | null) => void
  /** Its thread died again and again, each time that it does; null: one has come back. */
  onDown: (reason: string | null) => void
  /** What was stored of these groups is gone, and they are to be read again. */
  onLost: (groupIds: string[]) => void
  /** A search met files that cannot be read now; told before its answer. */
  onUnread: (groupId: string, files: UnreadFile[]) => void
}

/** A first start that fails so often in a row is given up. */
const MAX_FIRST_DEATHS = 5

/**
 * The main thread's end of a shard. When its thread dies, a new one takes over, after a pause that grows with each death:
 * a group that two of them were reading is reported as failed, what the new thread does not hold any more as lost, and
 * everything else is asked again.
 */
export class ShardClient {
  readonly #options: ShardClientOptions
  readonly #pending = new PendingCalls()
  readonly #held: HeldGroups
  readonly #restart = new RestartPause()
  /** null while it rests, and between a death and the next start. */
  #thread: ShardThread | null = null
  /** It died and has not come back yet. */
  #isDown = false
  #isReady = false
  #lastAskedMs = performance.now()
  /** Why no more calls are taken. */
  #end: Error | null = null
  #path: string | null
  #onReady: () => void = () => {}
  #onFailedStart: (error: Error) => void = () => {}

  constructor(options: ShardClientOptions) {
    this.#options = options
    this.#path = options.path
    this.#held = new HeldGroups(options.onLost)
    this.#start()
  }

  /** Resolves when the thread has opened its database. To be called once, right after the start. */
  whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onReady = resolve
      this.#onFailedStart = reject
    })
  }

  /** The groups that are stored here. */
  get held(): ReadonlyMap<string, string> {
    return this.#held.groups
  }

  /** false: it died, and what it still holds is not known before it is back. */
  get isUp(): boolean {
    return !this.#isDown
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
    const id = this.#pending.lastId
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

  async remove(groupIds: string[]): Promise<void> {
    await this.call('remove', groupIds)
    this.#held.drop(groupIds)
  }

  /**
   * Ends the thread where nothing was asked of it for so long and nothing would be lost: it gives back some 60 MB. What is
   * asked next starts another. true: it was ended now.
   */
  async rest(idleMs: number): Promise<boolean> {
    const isBusy = this.#pending.size > 0 || performance.now() - this.#lastAskedMs < idleMs
    if (this.#thread === null || this.#end !== null || isBusy || !(await this.call('rest', null)))
      return false
    void this.#endThread()
    if (this.#pending.size > 0) this.wake()
    return true
  }

  /** Starts the thread again, so that the next question need not wait for that. true: it was resting. */
  wake(): boolean {
    if (this.#thread !== null || this.#isDown || this.#end !== null) return false
    this.#lastAskedMs = performance.now()
    this.#start()
    return true
  }

  async close(): Promise<void> {
    if (this.#end !== null) return
    const closed = this.#thread === null ? null : this.call('close', null)
    this.#end = new Error('The index is closed.')
    this.#restart.cancel()
    await closed?.catch(() => {})
    await this.#endThread()
    this.#pending.rejectAll(this.#end)
  }

  #send<Name extends ShardCallName>(
    name: Name,
    argument: ShardCalls[Name]['argument'],
    watch: Watch,
  ): Promise<ShardCalls[Name]['answer']> {
    if (this.#end !== null) return Promise.reject(this.#end)
    const hopeless = this.#restart.isHopeless ? this.#restart.fault : null
    if (hopeless !== null && this.#isDown && !isPatient(name)) return Promise.reject(hopeless)
    this.wake()
    this.#lastAskedMs = performance.now()
    return this.#pending.add(name, argument, watch, (request) => this.#thread?.post(request))
  }

  /** Its file is another program's by now: no later thread opens it either. */
  leaveDisk(): void {
    this.#path = null
    this.call('leaveDisk', null).catch(() => {})
    // Not only when the thread comes to it: until then everything would seem to be there.
    this.#held.loseAll()
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.end()
  }

  #start(): void {
    const { folderId, driver, openings, longestAnswerMs } = this.#options
    this.#isReady = false
    try {
      const thread = new ShardThread(
        { ...this.#options, data: { path: this.#path, folderId, driver, openings } },
        {
          findFault: (lookMs) => {
            this.#pending.pass(lookMs)
            if (this.#pending.olderThan(longestAnswerMs).length === 0) return null
            return `it gave no answer for ${Math.round(longestAnswerMs / 1_000)} seconds`
          },
          isWaiting: () => !this.#isReady || this.#pending.size > 0,
          receive: (message) => this.#receive(message),
          onDeath: (reason) => this.#replaceDead(reason),
        },
      )
      this.#thread = thread
      this.#pending.postAll((request) => thread.post(request))
    } catch (error) {
      this.#replaceDead(error instanceof Error ? error.message : String(error))
    }
  }

  #receive(message: ShardMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true
        this.#isDown = false
        this.#restart.noteStart()
        this.#options.onDown(null)
        this.#options.onProblem(message.problem)
        this.#held.replace(message.held)
        this.#onReady()
        return
      case 'unread':
        this.#options.onUnread(message.groupId, message.files)
        return
      case 'lost':
        this.#held.lose(message.groupIds)
        return
      case 'problem':
        this.#options.onProblem(message.problem)
        return
      case 'reading':
        this.#pending.reading(message.groupId)
        return
      case 'indexed':
        this.#held.note(message.group)
        this.#pending.indexed(message.id, message.group)
        return
      case 'partial':
        this.#pending.partial(message.id, message.found)
        return
      case 'answer':
        this.#pending.answer(message.id, message.answer)
        return
      case 'failure':
        this.#pending.fail(message.id, new Error(message.message))
    }
  }

  #replaceDead(reason: string): void {
    this.#thread = null
    if (this.#end !== null) {
      this.#pending.rejectAll(this.#end)
      return
    }
    this.#isDown = true
    const overdue = this.#pending.olderThan(this.#options.longestAnswerMs)
    // In memory all of it is gone, which need not wait for the next thread.
    if (this.#path === null) this.#held.loseAll()
    const pauseMs = this.#restart.noteDeath(reason, this.#pending.blameGroup(reason))
    const { fault } = this.#restart
    if (this.#restart.isHopeless) this.#options.onDown(fault.message)
    if (this.#restart.deaths >= MAX_FIRST_DEATHS) this.#onFailedStart(fault)
    this.#pending.noteDeath(fault)
    for (const id of overdue) this.#pending.fail(id, fault)
    this.#restart.wait(pauseMs, () => {
      if (this.#end === null) this.#start()
    })
  }
}
