import type { IndexedGroup, IndexGroup, OnIndexed } from '../contract.ts'
import type { ShardFound } from '../find/hits.ts'
import type { ShardCallName, ShardCalls, ShardRequest } from '../shard/shard-message.ts'

type AnyAnswer = ShardCalls[ShardCallName]['answer']

/** Progress reported before the answer. */
export interface Watch {
  /** Groups of an update that are not indexed yet. */
  groups?: Map<string, IndexGroup>
  onIndexed?: OnIndexed
  onPartial?: (found: ShardFound) => void
}

interface PendingCall extends Watch {
  name: ShardCallName
  argument: unknown
  /** Waiting time in which the process was running: a suspended process does not wait. */
  waitedMs: number
  /** Threads that died during it. */
  deaths: number
  /** The current thread has received it. */
  isPosted: boolean
  resolve: (answer: AnyAnswer) => void
  reject: (error: Error) => void
}

/** How many threads may die during a request or group before it is considered the cause: the first may have died of something else. */
const MOST_DEATHS = 1

/** Unanswered requests to a thread, in the order they were made. */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>()
  /** How many threads ended while reading a group. */
  readonly #groupDeaths = new Map<string, number>()
  #send: (request: ShardRequest) => void = () => {}
  #lastId = 0
  #readingGroupId: string | null = null
  #readingSinceMs = 0

  get size(): number {
    return this.#calls.size
  }

  get lastId(): number {
    return this.#lastId
  }

  /** `post` sends it; if it cannot be sent, it alone fails. */
  add<Name extends ShardCallName>(
    name: Name,
    argument: ShardCalls[Name]['argument'],
    watch: Watch,
    post: (request: ShardRequest) => void,
  ): Promise<ShardCalls[Name]['answer']> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const call = {
        ...watch,
        name,
        argument,
        waitedMs: 0,
        deaths: 0,
        isPosted: false,
        resolve,
        reject,
      }
      this.#calls.set(id, call)
      this.#send = post
      this.#post(id, call)
    })
  }

  /** Repeats all requests to a new thread: those during which one died one at a time, since only one of them is the cause. */
  postAll(post: (request: ShardRequest) => void): void {
    this.#send = post
    for (const call of this.#calls.values()) call.isPosted = false
    for (const [id, call] of this.#calls) {
      if (call.deaths === 0 || isPatient(call.name)) this.#post(id, call)
    }
    this.#postSuspect()
  }

  #postSuspect(): void {
    const suspects = [...this.#calls].filter(([, { deaths, name }]) => deaths > 0 && !isPatient(name))
    const [next] = suspects
    if (next !== undefined && !suspects.some(([, { isPosted }]) => isPosted)) this.#post(...next)
  }

  /** The thread has started reading a group. */
  reading(groupId: string): void {
    this.#readingGroupId = groupId
    this.#readingSinceMs = performance.now()
  }

  indexed(id: number, group: IndexedGroup): void {
    this.#readingGroupId = null
    const call = this.#calls.get(id)
    this.#groupDeaths.delete(group.id)
    call?.groups?.delete(group.id)
    call?.onIndexed?.(group, performance.now() - this.#readingSinceMs)
  }

  partial(id: number, found: ShardFound): void {
    this.#calls.get(id)?.onPartial?.(found)
  }

  answer(id: number, answer: AnyAnswer): void {
    this.#calls.get(id)?.resolve(answer)
    this.#forget(id)
  }

  fail(id: number, error: Error): void {
    this.#calls.get(id)?.reject(error)
    this.#forget(id)
  }

  #forget(id: number): void {
    if (this.#calls.delete(id)) this.#postSuspect()
  }

  /**
   * The thread ended. If it was reading a group, and another thread ended during it before, the group has failed and is not requested
   * again. false: it was reading none.
   */
  blameGroup(reason: string): boolean {
    const groupId = this.#readingGroupId
    this.#readingGroupId = null
    if (groupId !== null) this.#blame(groupId, reason)
    return groupId !== null
  }

  #blame(groupId: string, reason: string): void {
    const deaths = (this.#groupDeaths.get(groupId) ?? 0) + 1
    this.#groupDeaths.set(groupId, deaths)
    if (deaths <= MOST_DEATHS) return
    this.#groupDeaths.delete(groupId)
    for (const { groups, onIndexed } of this.#calls.values()) {
      const group = groups?.get(groupId)
      if (group === undefined) continue
      groups?.delete(groupId)
      onIndexed?.({ id: groupId, fingerprint: group.fingerprint, sessions: [], failure: reason }, 0)
    }
  }

  /** Called with the time between two checks. */
  pass(lookMs: number): void {
    for (const call of this.#calls.values()) call.waitedMs += lookMs
  }

  /** Requests that have waited longer than this. */
  olderThan(ageMs: number): number[] {
    const overdue = [...this.#calls].filter(([, { name, waitedMs }]) => waitedMs > ageMs && !isPatient(name))
    return overdue.map(([id]) => id)
  }

  /** `error`: returned for requests during which threads die; changes to the index wait however long it takes. */
  noteDeath(error: Error): void {
    this.#send = () => {}
    for (const call of this.#calls.values()) if (call.isPosted) call.deaths += 1
    const guilty = [...this.#calls].filter(([, { deaths, name }]) => deaths > MOST_DEATHS && !isPatient(name))
    for (const [id] of guilty) this.fail(id, error)
  }

  rejectAll(error: Error): void {
    for (const call of this.#calls.values()) call.reject(error)
    this.#calls.clear()
  }

  #post(id: number, call: PendingCall): void {
    const { name, argument, groups } = call
    const left = groups === undefined ? argument : [...groups.values()]
    call.isPosted = true
    try {
      this.#send({ id, name, argument: left } as ShardRequest)
    } catch (error) {
      this.fail(id, error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** Changes to the index are done eventually; questions fail. */
export function isPatient(name: ShardCallName): boolean {
  return name === 'update' || name === 'remove' || name === 'beginAnew' || name === 'leaveDisk'
}
