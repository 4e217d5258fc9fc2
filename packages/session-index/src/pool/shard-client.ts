import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { UnreadFile } from 'gemini-sessions'
import type { IndexedGroup, IndexGroup, IndexSearchRequest, OnIndexed } from '../contract.ts'
import type { ShardFound } from '../find/hits.ts'
import type {
  HeldGroup,
  OpenedShard,
  ShardCallName,
  ShardCalls,
  ShardMessage,
  ShardRequest,
} from '../shard/shard-message.ts'
import { isPatient, PendingCalls, type Watch } from './pending-calls.ts'
import { type ThreadProgram, takeThread } from './started-threads.ts'
import { workOfThread } from './thread-work.ts'

interface ShardClientOptions extends OpenedShard, ThreadProgram {
  silenceMs: number
  /** A request unanswered for this long is never answered. */
  longestAnswerMs: number
  /** Why its data is not stored on disk; null: it is. */
  onProblem: (problem: string | null) => void
  /** Its thread died repeatedly; called each time it does. null: one has come back. */
  onDown: (reason: string | null) => void
  /** The stored data of these groups was lost; read them again. */
  onLost: (groupIds: string[]) => void
  /** A search found files that cannot be read at the moment; called before it returns. */
  onUnread: (groupId: string, files: UnreadFile[]) => void
}

/** A first start is given up after this many failures in a row. */
const MAX_FIRST_DEATHS = 5

/**
 * The main thread's side of a shard. When its thread dies, a new one replaces it, after a pause that grows with each death: a group that
 * two of them were reading is reported as failed, data that the new thread no longer holds as lost, and everything else is requested again.
 */
export class ShardClient {
  readonly #options: ShardClientOptions
  readonly #pending = new PendingCalls()
  readonly #held: HeldGroups
  readonly #restart = new RestartPause()
  /** null while idle, and between a death and the next start. */
  #thread: ShardThread | null = null
  /** It died and is not back yet. */
  #isDown = false
  #isReady = false
  #lastAskedMs = performance.now()
  /** Why no more calls are accepted. */
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

  /** Resolves when the thread has opened its database. Call once, right after the start. */
  whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onReady = resolve
      this.#onFailedStart = reject
    })
  }

  /** The groups stored here. */
  get held(): ReadonlyMap<string, string> {
    return this.#held.groups
  }

  /** false: it died, and what it still holds is unknown until it is back. */
  get isUp(): boolean {
    return !this.#isDown
  }

  call<Name extends ShardCallName>(
    name: Name,
    argument: ShardCalls[Name]['argument'],
  ): Promise<ShardCalls[Name]['answer']> {
    return this.#send(name, argument, {})
  }

  /** Requests the hits; an abort stops the search at once. */
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
   * Ends the thread if it has been idle for this long and nothing would be lost: this frees some 60 MB. The next request starts another.
   * true: it was ended.
   */
  async rest(idleMs: number): Promise<boolean> {
    const isBusy = this.#pending.size > 0 || performance.now() - this.#lastAskedMs < idleMs
    if (this.#thread === null || this.#end !== null || isBusy || !(await this.call('rest', null)))
      return false
    void this.#endThread()
    if (this.#pending.size > 0) this.wake()
    return true
  }

  /** Restarts the thread, so that the next request need not wait for it. true: it was ended before. */
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

  /** Another program owns its file now: no later thread opens it either. */
  leaveDisk(): void {
    this.#path = null
    this.call('leaveDisk', null).catch(() => {})
    // Not only when the thread processes it: until then everything would seem to exist.
    this.#held.loseAll()
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.end()
  }

  #start(): void {
    const { folderId, owner, driver, openings, longFrom, longestAnswerMs } = this.#options
    this.#isReady = false
    try {
      const thread = new ShardThread(
        { ...this.#options, opens: { path: this.#path, folderId, owner, driver, openings, longFrom } },
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
    // In memory everything is gone, regardless of the next thread.
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

/** Which groups a shard holds, as reported by its successive threads; reports the lost ones. */
class HeldGroups {
  #groups = new Map<string, string>()
  readonly #onLost: (groupIds: string[]) => void

  constructor(onLost: (groupIds: string[]) => void) {
    this.#onLost = onLost
  }

  /** Fingerprints by id. */
  get groups(): ReadonlyMap<string, string> {
    return this.#groups
  }

  /** For a group that could not be read completely, a shard keeps what it held. */
  note({ id, fingerprint, failure, unread }: IndexedGroup): void {
    if (failure === null && unread === undefined) this.#groups.set(id, fingerprint)
  }

  drop(groupIds: readonly string[]): void {
    for (const id of groupIds) this.#groups.delete(id)
  }

  /** A new thread reports what it found: what a missing commit or file has cost is lost. */
  replace(held: readonly HeldGroup[]): void {
    const earlier = this.#groups
    this.#groups = new Map(held)
    const lost = [...earlier].filter(([id, fingerprint]) => this.#groups.get(id) !== fingerprint)
    this.#tell(lost.map(([id]) => id))
  }

  lose(groupIds: readonly string[]): void {
    const lost = groupIds.filter((id) => this.#groups.delete(id))
    this.#tell(lost)
  }

  loseAll(): void {
    this.lose([...this.#groups.keys()])
  }

  #tell(lost: string[]): void {
    if (lost.length > 0) this.#onLost(lost)
  }
}

/** After this uptime, the death of a thread counts as the first one. */
const FORGIVEN_AFTER_MS = 60_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** From this number of deaths on, requests fail at once. */
const HOPELESS_DEATHS = 3

/** How long to wait before a dead thread is restarted: longer each time, unless the death has an explanation. */
class RestartPause {
  #deaths = 0
  #startedMs = 0
  #reason = ''
  #timer: NodeJS.Timeout | null = null

  /** Consecutive deaths. */
  get deaths(): number {
    return this.#deaths
  }

  get isHopeless(): boolean {
    return this.#deaths >= HOPELESS_DEATHS
  }

  /** The error for requests, with the last reason. */
  get fault(): IndexFault {
    return IndexFault.ofThread(this.#reason)
  }

  noteStart(): void {
    this.#startedMs = performance.now()
  }

  /** The pause to wait. `isExplained`: it was reading a group, which is skipped if another thread ends during it. */
  noteDeath(reason: string, isExplained: boolean): number {
    this.#reason = reason
    if (isExplained) return 0
    const livedMs = this.#startedMs === 0 ? 0 : performance.now() - this.#startedMs
    this.#startedMs = 0
    this.#deaths = livedMs > FORGIVEN_AFTER_MS ? 1 : this.#deaths + 1
    return this.#deaths === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#deaths - 2))
  }

  wait(pauseMs: number, then: () => void): void {
    this.#timer = setTimeout(then, pauseMs)
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}

/** Why the index cannot answer a valid request. Its message is for the user. */
export class IndexFault extends Error {
  override readonly name = 'IndexFault'

  static ofThread(reason: string): IndexFault {
    const advice = /EMFILE|ENFILE/.test(reason)
      ? 'Raise the limit of open files (ulimit -n), and ask once more.'
      : 'Ask once more in a minute.'
    return new IndexFault(`A thread of the index ended (${reason}) and is started again. ${advice}`)
  }
}

interface ShardThreadOptions extends ThreadProgram {
  opens: OpenedShard
  /** A thread that is silent for this long, and has worked for as long meanwhile, is considered hung. */
  silenceMs: number
}

interface ShardThreadOwner {
  /** A request is pending. */
  isWaiting: () => boolean
  /** Why to end it although it still sends messages; null: no reason. Called at each check, with the time since the last one. */
  findFault: (lookMs: number) => string | null
  receive: (message: ShardMessage) => void
  /** It ended without being asked to. */
  onDeath: (reason: string) => void
}

/** A thread inside a system call cannot be ended; this is the longest wait for it. */
const END_MS = 2_000
const LOOKS_A_SILENCE = 60
/** Times as many checks: it is replaced even if it used no CPU, because it waits for something that never comes. */
const SILENT_WITHOUT_WORK = 4

/**
 * A worker thread that may throw, exit, run out of memory or hang, which is reported to its owner once. Silence is counted in ticks of this
 * thread's clock and in CPU time of the worker, so a sleeping computer, a busy main thread or a busy machine does not look like a hang.
 */
class ShardThread {
  readonly #options: ShardThreadOptions
  readonly #owner: ShardThreadOwner
  readonly #worker: Worker
  readonly #clock: NodeJS.Timeout
  #silentTicks = 0
  /** System id of the thread; 0 until it has reported it. */
  #number = 0
  /** Its CPU time when it was last heard, in milliseconds. */
  #workMs = 0
  #reason = 'it ended unexpectedly'
  #isOver = false

  /** Throws if no thread can be started. */
  constructor(options: ShardThreadOptions, owner: ShardThreadOwner) {
    this.#options = options
    this.#owner = owner
    this.#worker = takeThread(options)
    this.#worker.on('message', (message: ShardMessage) => {
      this.#silentTicks = 0
      if (message.kind === 'thread') this.#number = message.number
      else owner.receive(message)
    })
    this.#worker.on('messageerror', (error) => this.#die(`it could not be understood: ${error.message}`))
    this.#worker.on('error', (error) => {
      this.#reason = error.message
    })
    this.#worker.on('exit', () => this.#die(this.#reason))
    this.post({ id: 0, name: 'open', argument: options.opens })
    this.#clock = setInterval(() => this.#look(), options.silenceMs / LOOKS_A_SILENCE).unref()
  }

  /** Throws if the request cannot be sent. */
  post(request: ShardRequest): void {
    this.#worker.postMessage(request)
  }

  async end(): Promise<void> {
    this.#isOver = true
    clearInterval(this.#clock)
    this.#worker.removeAllListeners()
    // Errors during its end are irrelevant.
    this.#worker.on('error', () => {})
    await Promise.race([this.#worker.terminate(), sleep(END_MS, undefined, { ref: false })])
  }

  #look(): void {
    if (!this.#owner.isWaiting()) {
      this.#silentTicks = 0
      return
    }
    if (this.#silentTicks === 0) this.#workMs = workOfThread(this.#number)
    this.#silentTicks += 1
    const fault = this.#owner.findFault(this.#options.silenceMs / LOOKS_A_SILENCE)
    if (fault !== null) {
      this.#die(fault)
    } else if (this.#isHanging()) {
      this.#die('it stopped responding')
    } else {
      this.post({ id: 0, name: 'ping', argument: null })
    }
  }

  #isHanging(): boolean {
    const hasWorked = () => workOfThread(this.#number) - this.#workMs >= this.#options.silenceMs
    const silences = this.#silentTicks / LOOKS_A_SILENCE
    return silences > SILENT_WITHOUT_WORK || (silences > 1 && hasWorked())
  }

  #die(reason: string): void {
    if (this.#isOver) return
    void this.end().then(() => this.#owner.onDeath(reason))
  }
}
