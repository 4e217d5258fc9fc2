import type { Session } from 'gemini-sessions'
import type { Database } from '../driver/database.ts'
import type { IndexGroup } from '../index-group.ts'
import type { SessionRecord } from '../session-record.ts'
import { planSession, type SessionPlan } from './plan-session.ts'
import { SLOTS_PER_SESSION } from './schema.ts'
import { decodeTimes, readSlots, type Slot, type SlotTimes } from './session-slots.ts'
import { writePlan } from './write-plan.ts'

/** A session of this shard, as far as a search needs it at hand. */
export interface StoredSession {
  number: number
  key: string
  groupId: string
}

/** What `load` answers: records stay JSON until the thread that wants them has them. */
export interface StoredGroup {
  id: string
  fingerprint: string
  recordsJson: string[]
}

/** The tables of one shard. Remembers which groups and sessions they hold. */
export class ShardStore {
  readonly database: Database
  readonly #groups = new Map<string, IndexGroup>()
  readonly #sessions = new Map<number, StoredSession>()
  readonly #numbersByGroup = new Map<string, number[]>()
  readonly #times = new Map<number, SlotTimes>()
  #lastNumber = 0
  #isInTransaction = false

  constructor(database: Database) {
    this.database = database
    for (const row of database.all('SELECT id, fingerprint, files FROM file_group')) {
      const group = {
        id: String(row.id),
        fingerprint: String(row.fingerprint),
        files: JSON.parse(String(row.files)),
      }
      this.#groups.set(group.id, group)
    }
    for (const row of database.all('SELECT number, group_id, key FROM session ORDER BY number')) {
      this.#remember({ number: Number(row.number), groupId: String(row.group_id), key: String(row.key) })
    }
  }

  get groups(): ReadonlyMap<string, IndexGroup> {
    return this.#groups
  }

  session(number: number): StoredSession | undefined {
    return this.#sessions.get(number)
  }

  sessionsOf(groupId: string): StoredSession[] {
    return (this.#numbersByGroup.get(groupId) ?? []).flatMap((number) => this.#sessions.get(number) ?? [])
  }

  storedGroups(groupIds: readonly string[] | null): StoredGroup[] {
    const groups =
      groupIds === null ? [...this.#groups.values()] : groupIds.flatMap((id) => this.#groups.get(id) ?? [])
    return groups.map(({ id, fingerprint }) => ({
      id,
      fingerprint,
      recordsJson: this.sessionsOf(id).flatMap(({ number }) => this.#recordJson(number) ?? []),
    }))
  }

  record(number: number): SessionRecord | null {
    const json = this.#recordJson(number)
    return json === null ? null : JSON.parse(json)
  }

  slots(number: number): Slot[] {
    return readSlots(this.database.get('SELECT slots FROM session WHERE number = ?', number)?.slots)
  }

  /** Kept in memory once asked for: 16 bytes a message. */
  times(number: number): SlotTimes {
    const known = this.#times.get(number)
    if (known !== undefined) return known
    const row = this.database.get('SELECT times FROM session WHERE number = ?', number)
    const times = decodeTimes(row?.times)
    this.#times.set(number, times)
    return times
  }

  /**
   * Replaces what is stored of the group. `pause` is called often; a search that runs meanwhile may see
   * the group half old, half new. An error that is not the database's has changed nothing.
   */
  async write(
    group: IndexGroup,
    sessions: { session: Session; record: SessionRecord }[],
    pause: () => Promise<void>,
  ): Promise<void> {
    const old = new Map(this.sessionsOf(group.id).map((stored) => [stored.key, stored]))
    const plans: { stored: StoredSession; plan: SessionPlan }[] = []
    for (const { session, record } of sessions) {
      const { key } = record.summary
      const known = old.get(key)
      old.delete(key)
      const stored = known ?? { number: ++this.#lastNumber, key, groupId: group.id }
      const oldSlots = known === undefined ? [] : this.slots(known.number)
      plans.push({ stored, plan: await planSession(session, record, oldSlots, pause) })
    }
    this.#begin()
    for (const { stored, plan } of plans) await writePlan(this.database, stored, plan, pause)
    for (const gone of old.values()) this.#deleteRows(gone.number)
    this.database.run(INSERT_GROUP, group.id, group.fingerprint, JSON.stringify(group.files))
    this.#forget(group.id)
    this.#groups.set(group.id, group)
    for (const { stored } of plans) this.#remember(stored)
  }

  remove(groupId: string): void {
    this.#begin()
    for (const { number } of this.sessionsOf(groupId)) this.#deleteRows(number)
    this.database.run('DELETE FROM file_group WHERE id = ?', groupId)
    this.#forget(groupId)
    this.#groups.delete(groupId)
  }

  /** Makes everything written so far durable. */
  commit(): void {
    if (!this.#isInTransaction) return
    this.#isInTransaction = false
    this.database.exec('COMMIT')
  }

  close(): void {
    this.commit()
    this.database.close()
  }

  #begin(): void {
    if (this.#isInTransaction) return
    this.database.exec('BEGIN')
    this.#isInTransaction = true
  }

  #recordJson(number: number): string | null {
    const row = this.database.get('SELECT record FROM session WHERE number = ?', number)
    return row === undefined ? null : String(row.record)
  }

  #deleteRows(number: number): void {
    this.slots(number).forEach((slot, index) => {
      if (slot !== null)
        this.database.run('DELETE FROM text WHERE rowid = ?', number * SLOTS_PER_SESSION + index)
    })
    this.database.run('DELETE FROM session WHERE number = ?', number)
  }

  #remember(stored: StoredSession): void {
    this.#sessions.set(stored.number, stored)
    this.#lastNumber = Math.max(this.#lastNumber, stored.number)
    const numbers = this.#numbersByGroup.get(stored.groupId)
    if (numbers === undefined) this.#numbersByGroup.set(stored.groupId, [stored.number])
    else numbers.push(stored.number)
  }

  #forget(groupId: string): void {
    for (const number of this.#numbersByGroup.get(groupId) ?? []) {
      this.#sessions.delete(number)
      this.#times.delete(number)
    }
    this.#numbersByGroup.delete(groupId)
  }
}

const INSERT_GROUP = 'INSERT OR REPLACE INTO file_group (id, fingerprint, files) VALUES (?, ?, ?)'
