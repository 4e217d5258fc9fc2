import type { IndexedGroup, IndexGroup, SessionRecord } from '@gemini-dash/session-index'
import { NO_COST, NO_USAGE, type UnreadFile } from 'gemini-sessions'
import type { Catalog } from '../catalog/catalog.ts'
import { areKnown, markUnread, withoutUnread } from '../catalog/mark-unread.ts'
import type { UnreadBook } from '../catalog/unread-book.ts'
import type { FailedGroups } from './failed-groups.ts'
import type { GroupStates } from './group-states.ts'
import type { IndexingOptions } from './indexing-options.ts'
import { NOT_READ } from './stored-index.ts'

/** Puts what was read of groups into the catalog, and what is known of those that cannot be read. */
export class ReadGroups {
  readonly #catalog: Catalog
  readonly #unread: UnreadBook
  readonly #groups: GroupStates
  readonly #failed: FailedGroups
  readonly #noteRows: IndexingOptions['noteRows']
  /** What an earlier run knew of groups that have changed since, until they are read. */
  readonly #earlier = new Map<string, SessionRecord[]>()

  constructor({ catalog, unread, noteRows }: IndexingOptions, groups: GroupStates, failed: FailedGroups) {
    this.#catalog = catalog
    this.#unread = unread
    this.#groups = groups
    this.#failed = failed
    this.#noteRows = noteRows
  }

  /** Rows that are known already. false: they are not of the group as it is now. */
  take(group: IndexGroup, known: IndexedGroup | undefined): boolean {
    if (this.#groups.isWhole(group)) return true
    if (known === undefined || known.fingerprint !== group.fingerprint || known.failure !== null) return false
    this.#catalog.put(group, known.sessions)
    this.#noteRows(known.sessions)
    this.#groups.noteWhole(group.id, group.fingerprint, false)
    this.#failed.delete(group.id)
    return true
  }

  /** It is shown if the group cannot be read now. */
  keepEarlier(groupId: string, records: SessionRecord[]): void {
    if (areKnown(records)) this.#earlier.set(groupId, records)
  }

  /** What was read is shown, also of a group that has grown meanwhile. */
  put(group: IndexGroup, indexed: IndexedGroup): void {
    const { id, fingerprint, failure, sessions, unread } = indexed
    const read =
      failure === null ? sessions : this.#catalog.recordsOf(id).map((record) => failedRecord(record, failure))
    const source = { ...group, fingerprint }
    if (unread === undefined) this.#catalog.put(group, read, source)
    else this.#keepKnown(source, read, unread)
    this.#groups.noteWhole(id, fingerprint, group.fingerprint !== fingerprint)
    if (failure === null || unread !== undefined) this.#failed.delete(id)
    else this.#failed.add(id)
    if (unread !== undefined) return
    if (failure === null) this.#noteRows(sessions)
    this.#unread.delete(id)
    this.#earlier.delete(id)
  }

  /** Groups whose rows are whole, as they are to be remembered. */
  *remembered(): IterableIterator<IndexedGroup> {
    for (const group of this.#groups.present) {
      const { id, fingerprint } = group
      if (!this.#groups.isWhole(group) || this.#failed.has(id)) continue
      const records = this.#catalog.recordsOf(id)
      const isRead = !this.#unread.has(id)
      if (!isRead && !areKnown(records)) continue
      const sessions = records.some(({ summary }) => summary.unread) ? withoutUnread(records) : records
      yield { id, fingerprint: isRead ? fingerprint : NOT_READ, sessions, failure: null }
    }
  }

  forget(groupId: string): void {
    this.#earlier.delete(groupId)
    this.#unread.delete(groupId)
    this.#groups.forget(groupId)
    this.#failed.delete(groupId)
  }

  /** Some files could not be read: what was known of the group stays, as long as that is more. */
  #keepKnown(group: IndexGroup, read: readonly SessionRecord[], files: readonly UnreadFile[]): void {
    const { id } = group
    const shown = this.#catalog.recordsOf(id)
    const known = areKnown(shown) ? shown : (this.#earlier.get(id) ?? null)
    const source = known === shown ? this.#catalog.sourceOf(id) : group
    const told = read.length === 0 ? shown : read
    this.#catalog.put(
      this.#catalog.group(id) ?? group,
      markUnread(known ?? told, files, known !== null),
      source,
    )
    const absolute = new Map(group.files.map(({ path, absolutePath }) => [path, absolutePath]))
    this.#unread.set(
      id,
      files.map(({ path, code }) => ({ path: absolute.get(path) ?? path, code })),
    )
  }
}

const NO_COUNTS = {
  messages: 0,
  prompts: 0,
  answers: 0,
  thoughts: 0,
  toolCalls: 0,
  toolErrors: 0,
  notices: 0,
  superseded: 0,
}

const NO_FAILURES = { tools: 0, refused: 0, unanswered: 0 }

/** The row of a session that could not be read whole, with the reason. */
function failedRecord(record: SessionRecord, failure: string): SessionRecord {
  const reason = `Reading it failed: ${failure}`
  return {
    ...record,
    summary: {
      ...record.summary,
      indexed: 'full',
      outcome: { kind: 'empty', text: 'Reading it failed', messageKey: null },
      failures: NO_FAILURES,
      fates: { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 },
      issues: 1,
      models: [],
      counts: NO_COUNTS,
      recorded: { turns: 0, toolCalls: 0 },
      usage: NO_USAGE,
      liveUsage: NO_USAGE,
      cost: NO_COST,
      withSubagents: { usage: NO_USAGE, cost: NO_COST, toolCalls: 0, failures: NO_FAILURES },
      files: record.summary.files.map((file) => ({ ...file, role: 'damaged' })),
    },
    issues: [{ code: 'unreadable', at: '', args: { reason }, file: record.summary.files[0]?.path ?? '' }],
  }
}
