import type { IndexedGroup, IndexGroup, OnIndexed } from '../contract.ts'
import type { ShardFound } from '../find/hits.ts'
import type { ShardCallName, ShardCalls, ShardRequest } from '../shard/shard-message.ts'

type AnyAnswer = ShardCalls[ShardCallName]['answer']

/** What is told before the answer. */
export interface Watch {
  /** Groups of an update that are not indexed yet. */
  groups?: Map<string, IndexGroup>
  onIndexed?: OnIndexed
  onPartial?: (found: ShardFound) => void
}

interface PendingCall extends Watch {
  name: ShardCallName
  argument: unknown
  /** While somebody looked whether it is answered: a process that was suspended has not waited. */
  waitedMs: number
  /** Threads that died over it. */
  deaths: number
  /** The thread that is there now was asked. */
  isPosted: boolean
  resolve: (answer: AnyAnswer) => void
  reject: (error: Error) => void
}

/** So many threads may die over a question or a group before it is taken for the cause: one could have died of something else. */
const MOST_DEATHS = 1

/** Questions to a thread that are not answered yet, in the order in which they were asked. */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>()
  /** How many threads ended while they read a group. */
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

  /** `post` sends it; what cannot be sent fails by itself. */
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

  /** Asks all of it of another thread: questions that one died over one after the other, as only one of them did it. */
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

  /** The thread has begun with a group. */
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
   * The thread ended. Where it read a group, and is not the first one that ended over it, the group has failed, and is
   * not asked for again. false: it read none.
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

  /** To be told of the time between two looks. */
  pass(lookMs: number): void {
    for (const call of this.#calls.values()) call.waitedMs += lookMs
  }

  /** Questions that wait for longer than this. */
  olderThan(ageMs: number): number[] {
    const overdue = [...this.#calls].filter(([, { name, waitedMs }]) => waitedMs > ageMs && !isPatient(name))
    return overdue.map(([id]) => id)
  }

  /** `error`: what a question is told that threads die over; what changes the index waits however long it takes. */
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

/** What changes the index is done sooner or later; whoever asks something is told. */
export function isPatient(name: ShardCallName): boolean {
  return name === 'update' || name === 'remove' || name === 'beginAnew' || name === 'leaveDisk'
}
