import type { IndexGroup } from '../contract/index-group.ts'
import type { SessionRecord } from '../contract/session-record.ts'
import type { Database } from '../driver/database.ts'
import type { Conditions } from '../evaluate/evaluate-tree.ts'
import { filterRows } from '../evaluate/filter-rows.ts'
import { TextRows } from '../evaluate/text-rows.ts'
import type { NameTable } from '../rows/name-table.ts'
import { RowTable } from '../rows/row-table.ts'
import type { CallKind } from '../rows/session-calls.ts'
import { SessionRows } from '../rows/session-rows.ts'
import type { FieldPiece } from '../text/field-pieces.ts'
import { type PlannedGroup, planGroup } from './plan-group.ts'
import type { Slot } from './plan-session.ts'
import { type SessionToWrite, writePlan } from './plan-session.ts'
import { StoredCalls } from './stored-calls.ts'
import { StoredDetails } from './stored-details.ts'

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
  readonly #text = new TextRows()
  readonly #calls: StoredCalls
  readonly #details: StoredDetails
  #table: RowTable | null = null
  #lastNumber = 0
  #isInTransaction = false

  constructor(database: Database) {
    this.database = database
    this.#calls = new StoredCalls(database)
    this.#details = new StoredDetails(database)
    for (const row of database.all('SELECT id, fingerprint, files, claims, loose FROM file_group')) {
      const group = {
        id: String(row.id),
        fingerprint: String(row.fingerprint),
        files: JSON.parse(String(row.files)),
        ...(row.claims !== null && { claims: JSON.parse(String(row.claims)) }),
        ...(row.loose !== null && { loose: JSON.parse(String(row.loose)) }),
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

  /** Read when first needed: neither a start nor the list of sessions wants it. */
  get table(): RowTable {
    this.#table ??= new RowTable(
      this.database
        .all('SELECT number, rows FROM session_rows')
        .map(({ number, rows }) => [Number(number), SessionRows.decode(rows)]),
    )
    return this.#table
  }

  /** Reads what is otherwise read when it is first needed. */
  prepare(): void {
    for (const kind of ['tool', 'status'] as const) this.calls(kind)
    void this.table
  }

  /** What knows which rows a condition holds of. */
  conditions(): Conditions {
    const { table } = this
    return {
      table,
      findText: (text, fields) => this.#text.find(this.database, table.size, text, fields),
      findFilter: (filter) =>
        filterRows(filter, {
          table,
          sessionNumbers: (keys) => this.#numbersOf(new Set(keys)),
          calls: (kind) => this.calls(kind),
        }),
    }
  }

  /** What the calls of all rows were. */
  calls(kind: CallKind): NameTable {
    return this.#calls.table(kind)
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
      recordsJson: this.sessionsOf(id).flatMap(({ number }) => this.#details.recordJson(number) ?? []),
    }))
  }

  record(number: number): SessionRecord | null {
    return this.#details.record(number)
  }

  /** What can be found in the title of a session. */
  titlePieces(number: number): FieldPiece[] {
    return this.#details.titlePieces(number)
  }

  slots(number: number): Slot[] {
    return this.#details.of(number).slots
  }

  rows(number: number): SessionRows {
    return this.#details.of(number).rows
  }

  /**
   * Replaces what is stored of the group, and answers what it tells of its sessions. `pause` is called often; a search that
   * runs meanwhile may see the group half old, half new. An error that is not the database's has changed nothing.
   */
  async write(
    group: IndexGroup,
    sessions: SessionToWrite[],
    pause: () => Promise<void>,
  ): Promise<SessionRecord[]> {
    const { table } = this
    const planned = await planGroup(this.database, sessions, {
      files: group.files,
      old: this.sessionsOf(group.id),
      newSession: (key) => ({ number: ++this.#lastNumber, key, groupId: group.id }),
      detailsOf: (number) => this.#details.of(number),
      allocateRow: () => table.allocate(),
      pause,
      begin: () => this.#begin(),
    })
    return this.#writePlans(group, planned, pause)
  }

  async #writePlans(
    group: IndexGroup,
    { plans, gone }: PlannedGroup,
    pause: () => Promise<void>,
  ): Promise<SessionRecord[]> {
    const { table } = this
    this.#begin()
    for (const { stored, plan } of plans) {
      await writePlan(this.database, stored, plan, pause)
      this.#calls.write(stored.number, plan.calls)
    }
    for (const { number } of gone) this.#deleteRows(number)
    const { id, fingerprint, files, claims, loose } = group
    this.database.run(
      INSERT_GROUP,
      id,
      fingerprint,
      JSON.stringify(files),
      claims ? JSON.stringify(claims) : null,
      loose ? JSON.stringify(loose) : null,
    )
    this.#forget(group.id, new Set(plans.flatMap(({ plan }) => [...plan.rows.rows])))
    this.#groups.set(group.id, group)
    for (const { stored, plan } of plans) {
      this.#remember(stored)
      table.add(stored.number, plan.rows)
      this.#calls.remember(stored.number, plan.calls)
    }
    return plans.map(({ plan }) => plan.record)
  }

  remove(groupId: string): void {
    this.#begin()
    for (const { number } of this.sessionsOf(groupId)) this.#deleteRows(number)
    this.database.run('DELETE FROM file_group WHERE id = ?', groupId)
    this.#forget(groupId, new Set())
    this.#groups.delete(groupId)
  }

  /** Makes everything written so far durable. false: there was nothing. */
  commit(): boolean {
    return this.#end('COMMIT')
  }

  /** Takes back what was written since the last commit. What is remembered of it here is wrong then. */
  rollback(): void {
    this.#end('ROLLBACK')
  }

  #end(how: 'COMMIT' | 'ROLLBACK'): boolean {
    if (!this.#isInTransaction) return false
    this.#isInTransaction = false
    this.database.exec(how)
    return true
  }

  #begin(): void {
    if (this.#isInTransaction) return
    this.database.exec('BEGIN')
    this.#isInTransaction = true
  }

  #numbersOf(keys: ReadonlySet<string>): number[] {
    return [...this.#sessions.values()].filter(({ key }) => keys.has(key)).map(({ number }) => number)
  }

  #deleteRows(number: number): void {
    this.#details.delete(number)
    this.#calls.delete(number)
  }

  #remember(stored: StoredSession): void {
    this.#sessions.set(stored.number, stored)
    this.#lastNumber = Math.max(this.#lastNumber, stored.number)
    const numbers = this.#numbersByGroup.get(stored.groupId)
    if (numbers === undefined) this.#numbersByGroup.set(stored.groupId, [stored.number])
    else numbers.push(stored.number)
  }

  #forget(groupId: string, keptRows: ReadonlySet<number>): void {
    this.#text.forget()
    for (const number of this.#numbersByGroup.get(groupId) ?? []) {
      this.#sessions.delete(number)
      this.#calls.forget(number)
      this.#details.forget(number)
      this.table.remove(number, keptRows)
    }
    this.#numbersByGroup.delete(groupId)
  }
}

const INSERT_GROUP =
  'INSERT OR REPLACE INTO file_group (id, fingerprint, files, claims, loose) VALUES (?, ?, ?, ?, ?)'
