import { KNOWN_NAMES } from '../../raw/known-names.ts'
import { isRawObject, type RawObject } from '../../raw/raw-object.ts'
import { HeaderReader } from '../log/header-reader.ts'
import type { LogRecord } from '../log/log-record.ts'
import { noteMetadata } from '../log/note-metadata.ts'
import { printableName } from '../problems/printable-name.ts'
import { Problems } from '../problems/problems.ts'
import { createEntry, type LogEntry, type RowPlace } from '../row/log-entry.ts'
import { classifyDrop } from './classify-drop.ts'
import { isCompressMark, isConversation, isSnapshot } from './entry-kinds.ts'
import { fillFromPatch, fillFromRewrite, replaceWithRow } from './fill-entry.ts'
import { findCopies } from './find-copies.ts'
import { isLoadedByCli } from './is-loaded-by-cli.ts'
import { LiveList } from './live-list.ts'
import { NamelessRows } from './nameless-rows.ts'

/** Plays the records of a log in order; remembers everything ever recorded and why it left the live list. */
export class ReplayLog {
  readonly header = new HeaderReader()
  readonly problems = new Problems()
  /** Everything ever recorded, in order of its first record. */
  readonly entries: LogEntry[] = []
  #live = new LiveList()
  #lastConversation: () => readonly LogEntry[] = () => []
  readonly #byId = new Map<string, LogEntry>()
  #nameless = new NamelessRows()
  /** Message rows since the last rewrite. */
  #recentRows: { entry: LogEntry; isFirst: boolean }[] = []
  #isAfterRewind = false
  #isAfterMetadata = false
  /** A run opened this log, which held a conversation already, and has added nothing yet. */
  #isReopened = false

  /** What the CLI holds now, in its order. */
  get live(): readonly LogEntry[] {
    return this.#live.values()
  }

  /** The last state before the live list lost its last human or model message. */
  get lastConversation(): readonly LogEntry[] {
    return this.#lastConversation()
  }

  find(id: string): LogEntry | undefined {
    return this.#byId.get(id)
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#byId.keys())
  }

  /** A log of its own, to be read on without this one. */
  copy(): ReplayLog {
    const log = new ReplayLog()
    log.header.copyFrom(this.header)
    log.problems.addAll(this.problems)
    const copies = new Map(this.entries.map((entry) => [entry, { ...entry }]))
    const toCopies = (entries: readonly LogEntry[]) => entries.flatMap((entry) => copies.get(entry) ?? [])
    for (const entry of copies.values()) {
      if (entry.copyOf) entry.copyOf = copies.get(entry.copyOf) ?? null
      log.entries.push(entry)
    }
    for (const [id, entry] of this.#byId) log.#byId.set(id, copies.get(entry) ?? entry)
    log.#nameless = new NamelessRows(this.#nameless)
    log.#live = new LiveList(toCopies(this.live))
    const lastConversation = this.#lastConversation
    log.#lastConversation = () => toCopies(lastConversation())
    log.#recentRows = this.#recentRows.map(({ entry, isFirst }) => ({
      entry: copies.get(entry) ?? entry,
      isFirst,
    }))
    log.#isAfterRewind = this.#isAfterRewind
    log.#isAfterMetadata = this.#isAfterMetadata
    log.#isReopened = this.#isReopened
    return log
  }

  apply(record: LogRecord): void {
    const { line } = record
    if (record.kind === 'message') {
      const isNew = !this.#byId.has(String(record.row.id))
      this.#record(record.row, { line }, record.isReadByCli)
      if (isNew) this.#noteRun()
      this.#isAfterRewind = this.#isAfterMetadata = false
    } else if (record.kind === 'metadata') this.#applyMetadata(record.fields, line)
    else if (record.kind === 'unknown') this.#applyUnknown(record.row, line)
    else if (!record.isReadByCli) this.problems.addIssue('bad-line', `line ${line}`)
    else if (record.kind === 'rewind') this.#rewind(record.toId)
    else if (record.kind === 'patch') this.#patch(record.patch, line)
    else this.#set(record.fields, line)
  }

  #applyMetadata(fields: RawObject, line: number): void {
    this.header.readMetadata(fields)
    noteMetadata('metadata', fields, `line ${line}`, this.problems)
    this.#isAfterMetadata = true
    this.#isReopened = this.entries.some(isConversation)
    if (!Array.isArray(fields.messages)) return
    let isLoading = true
    for (const [index, row] of fields.messages.entries()) {
      if (isRawObject(row) && typeof row.id === 'string') {
        isLoading &&= isLoadedByCli(row)
        this.#record(row, { line, index }, isLoading)
      } else this.#recordWithoutId(row, { line, index })
    }
  }

  #applyUnknown(row: RawObject, line: number): void {
    if (typeof row.type === 'string' && 'content' in row) {
      this.#recordWithoutId(row, { line })
      return
    }
    this.header.readIncomplete(row)
    const name = Object.keys(row).find((field) => field.startsWith('$')) ?? Object.keys(row)[0] ?? '{}'
    this.problems.addIssue('unknown-record', `line ${line}`, { name: printableName(name) })
    this.problems.addDrift('record', name, `line ${line}`)
  }

  #record(row: RawObject, place: RowPlace, isReadByCli: boolean): void {
    const id = String(row.id)
    const known = this.#byId.get(id)
    const isLive = isReadByCli && isLoadedByCli(row)
    const entry = known ?? this.#add(createEntry(row, false, place))
    if (known) replaceWithRow(known, row, place)
    const wasLive = this.#live.has(id)
    if (isLive || wasLive) this.#live.set(entry)
    else entry.droppedBy ??= 'replaced'
    this.#recentRows.push({ entry, isFirst: !known })
  }

  /** What the last record added opens a resumed run, unless it is the empty notice of a compression. */
  #noteRun(): void {
    const entry = this.entries.at(-1)
    if (!this.#isReopened || entry === undefined) return
    this.#isReopened = false
    entry.opensRun = !isCompressMark(entry)
  }

  #recordWithoutId(row: unknown, place: RowPlace): void {
    const entry = isRawObject(row) ? this.#nameless.add(row, place) : null
    if (entry === null) return
    this.entries.push(entry)
    this.problems.addIssue('bad-field', `line ${place.line} id`)
  }

  #add(entry: LogEntry): LogEntry {
    this.entries.push(entry)
    this.#byId.set(entry.id, entry)
    return entry
  }

  #rewind(toId: string): void {
    this.#change(() => {
      for (const entry of this.#live.cutFrom(toId)) entry.droppedBy = 'rewound'
    })
    this.#isAfterRewind = true
  }

  #set(fields: RawObject, line: number): void {
    this.header.readSet(fields)
    noteMetadata('$set', fields, `line ${line}`, this.problems)
    // written at a resume (0.39+), and at a compression (0.44+), which the rewrite after it tells from it
    if (typeof fields.sessionId === 'string') this.#isReopened = this.entries.some(isConversation)
    if (Array.isArray(fields.messages)) this.#rewrite(fields.messages, line)
  }

  #rewrite(rows: readonly unknown[], line: number): void {
    const before = this.#live.values()
    const fresh = new Set<LogEntry>()
    this.#change(() => this.#load(rows, line, fresh))
    const live = this.#live.values()
    const dropped = before.filter((entry) => !this.#live.has(entry.id))
    const copied = findCopies(live, this.#recentRows, dropped)
    const cause = classifyDrop({
      before,
      dropped,
      fresh,
      copied,
      isAfterRewind: this.#isAfterRewind,
      isAfterMetadata: this.#isAfterMetadata,
    })
    for (const entry of dropped) entry.droppedBy = cause(entry)
    if ([...fresh].some(isSnapshot)) this.#isReopened = false
    this.#recentRows = []
    this.#isAfterRewind = this.#isAfterMetadata = false
  }

  /** Makes the listed rows the live list; adds those that are new to `fresh`. */
  #load(rows: readonly unknown[], line: number, fresh: Set<LogEntry>): void {
    this.#live = new LiveList()
    let isLoading = true
    for (const [index, row] of rows.entries()) {
      if (!isRawObject(row) || typeof row.id !== 'string') {
        this.#recordWithoutId(row, { line, index })
        continue
      }
      const known = this.#byId.get(row.id)
      const entry = known ?? this.#add(createEntry(row, true, { line, index }))
      if (known) fillFromRewrite(known, row, { line, index })
      else fresh.add(entry)
      // Where the CLI fails on a row, it leaves the rest of the list.
      isLoading &&= isLoadedByCli(row)
      if (isLoading || this.#live.has(row.id)) this.#live.set(entry)
      else entry.droppedBy ??= 'replaced'
    }
  }

  /** What the patch changes in a message, the CLI sends on; what was recorded before stays (rule 3). */
  #patch(patch: RawObject, line: number): void {
    for (const update of [patch, ...toObjects(patch.updates)]) {
      this.problems.addUnknownNames('$patch', update, KNOWN_NAMES.patch, `line ${line}`)
      if (typeof update.id !== 'string') continue
      const entry = this.#byId.get(update.id)
      if (entry) fillFromPatch(entry, update)
      else this.problems.addIssue('bad-field', `line ${line} $patch.id`)
    }
    const removed = new Set(this.#toLive(patch.removeIds))
    for (const entry of removed) entry.droppedBy = 'replaced'
    // Listed ids move to the end, in their order.
    const moved = new Set(this.#toLive(patch.orderIds).filter((entry) => !removed.has(entry)))
    const others = this.#live.values().filter((entry) => !removed.has(entry) && !moved.has(entry))
    this.#change(() => {
      this.#live = new LiveList([...others, ...moved])
    })
  }

  #toLive(ids: unknown): LogEntry[] {
    return Array.isArray(ids) ? ids.flatMap((id) => this.#live.get(String(id)) ?? []) : []
  }

  /** Remembers the live list where a change takes the last human or model message out of it. */
  #change(change: () => void): void {
    const before = this.#live
    const wasConversation = before.isConversation
    const state = before.remember()
    change()
    if (wasConversation && !this.#live.isConversation) this.#lastConversation = state
  }
}

function toObjects(list: unknown): RawObject[] {
  return Array.isArray(list) ? list.filter(isRawObject) : []
}
