import type { ShardFound } from '../find/shard-found.ts'
import type { IndexedGroup, IndexGroup, OnIndexed } from '../index-group.ts'
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
  /** Threads that died over it. */
  deaths: number
  resolve: (answer: AnyAnswer) => void
  reject: (error: Error) => void
}

/** So many threads may die over a question before it is taken for the cause. */
const MOST_DEATHS = 2

/** Questions to a thread that are not answered yet, in the order in which they were asked. */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>()
  #lastId = 0

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
      const call = { ...watch, name, argument, deaths: 0, resolve, reject }
      this.#calls.set(id, call)
      this.#post(id, call, post)
    })
  }

  /** Asks all of it of another thread. */
  postAll(post: (request: ShardRequest) => void): void {
    for (const [id, call] of this.#calls) this.#post(id, call, post)
  }

  indexed(id: number, group: IndexedGroup, tookMs: number): void {
    const call = this.#calls.get(id)
    call?.groups?.delete(group.id)
    call?.onIndexed?.(group, tookMs)
  }

  partial(id: number, found: ShardFound): void {
    this.#calls.get(id)?.onPartial?.(found)
  }

  answer(id: number, answer: AnyAnswer): void {
    this.#calls.get(id)?.resolve(answer)
    this.#calls.delete(id)
  }

  fail(id: number, error: Error): void {
    this.#calls.get(id)?.reject(error)
    this.#calls.delete(id)
  }

  /** A group ended the thread that read it: it has failed, and is not asked for again. */
  blame(groupId: string, reason: string): void {
    for (const { groups, onIndexed } of this.#calls.values()) {
      const group = groups?.get(groupId)
      if (group === undefined) continue
      groups?.delete(groupId)
      onIndexed?.({ id: groupId, fingerprint: group.fingerprint, sessions: [], failure: reason }, 0)
    }
  }

  /** `errorOf`: what a question is told that threads die over; null has it wait however long it takes. */
  noteDeath(errorOf: (name: ShardCallName) => Error | null): void {
    for (const [id, call] of this.#calls) {
      call.deaths += 1
      const error = call.deaths > MOST_DEATHS ? errorOf(call.name) : null
      if (error !== null) this.fail(id, error)
    }
  }

  rejectAll(error: Error): void {
    for (const call of this.#calls.values()) call.reject(error)
    this.#calls.clear()
  }

  #post(id: number, { name, argument, groups }: PendingCall, post: (request: ShardRequest) => void): void {
    const left = groups === undefined ? argument : [...groups.values()]
    try {
      post({ id, name, argument: left } as ShardRequest)
    } catch (error) {
      this.fail(id, error instanceof Error ? error : new Error(String(error)))
    }
  }
}
