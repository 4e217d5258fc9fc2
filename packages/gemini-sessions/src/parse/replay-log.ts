import type { Superseded } from '../model/message.ts'
import { KNOWN_NAMES } from '../raw/known-names.ts'
import { isRawObject, type RawObject } from '../raw/raw-object.ts'
import { classifyDrop } from './classify-drop.ts'
import { fillFromPatch } from './fill-from-patch.ts'
import { fillFromRewrite } from './fill-from-rewrite.ts'
import { findCopies } from './find-copies.ts'
import { HeaderReader } from './header-reader.ts'
import { isConversation } from './is-conversation.ts'
import { isLoadedByCli } from './is-loaded-by-cli.ts'
import { plainText } from './lift/plain-text.ts'
import { createEntry, type LogEntry, type RowPlace } from './log-entry.ts'
import type { LogRecord } from './log-record.ts'
import { noteMetadata } from './note-metadata.ts'
import { printableName } from './printable-name.ts'
import type { Problems } from './problems.ts'
import { replaceWithRow } from './replace-with-row.ts'

/** Plays the records of a log in order; remembers everything ever recorded and why it left the live list. */
export class ReplayLog {
  readonly header = new HeaderReader()
  /** Everything ever recorded, in order of its first record. */
  readonly entries: LogEntry[] = []
  /** What the CLI holds now, in its order. */
  live = new Map<string, LogEntry>()
  /** The last state before the live list lost its last human or model message. */
  lastConversation: readonly LogEntry[] = []
  readonly #byId = new Map<string, LogEntry>()
  /** Rows without id, which the CLI ignores, by time, type and text. */
  readonly #withoutId = new Set<string>()
  /** Message rows since the last rewrite. */
  #recentRows: { entry: LogEntry; isFirst: boolean }[] = []
  #isAfterRewind = false
  #isAfterMetadata = false
  readonly #problems: Problems

  constructor(problems: Problems) {
    this.#problems = problems
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#byId.keys())
  }

  apply(record: LogRecord): void {
    const { line } = record
    if (record.kind === 'message') {
      this.#record(record.row, { line }, record.isReadByCli)
      this.#isAfterRewind = this.#isAfterMetadata = false
    } else if (record.kind === 'metadata') this.#applyMetadata(record.fields, line)
    else if (record.kind === 'unknown') this.#applyUnknown(record.row, line)
    else if (!record.isReadByCli) this.#problems.addIssue('bad-line', `line ${line}`)
    else if (record.kind === 'rewind') this.#rewind(record.toId)
    else if (record.kind === 'patch') this.#patch(record.patch, line)
    else this.#set(record.fields, line)
  }

  #applyMetadata(fields: RawObject, line: number): void {
    this.header.readMetadata(fields)
    noteMetadata('metadata', fields, `line ${line}`, this.#problems)
    this.#isAfterMetadata = true
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
    this.#problems.addIssue('unknown-record', `line ${line}`, { name: printableName(name) })
    this.#problems.addDrift('record', name, `line ${line}`)
  }

  #record(row: RawObject, place: RowPlace, isReadByCli: boolean): void {
    const id = String(row.id)
    const known = this.#byId.get(id)
    const isLive = isReadByCli && isLoadedByCli(row)
    const entry = known ?? this.#add(createEntry(row, false, place))
    if (known) replaceWithRow(known, row, place)
    if (isLive) this.live.set(id, entry)
    else if (!this.live.has(id)) entry.droppedBy ??= 'replaced'
    this.#recentRows.push({ entry, isFirst: !known })
  }

  /** The CLI skips such a row; it is kept once, as superseded. */
  #recordWithoutId(row: unknown, place: RowPlace): void {
    if (!isRawObject(row)) return
    const identity = `${row.timestamp}\n${row.type}\n${plainText(row.content)}`
    if (this.#withoutId.has(identity)) return
    this.#withoutId.add(identity)
    const entry = createEntry(row, false, place)
    entry.droppedBy = 'replaced'
    this.entries.push(entry)
    this.#problems.addIssue('bad-field', `line ${place.line} id`)
  }

  #add(entry: LogEntry): LogEntry {
    this.entries.push(entry)
    this.#byId.set(entry.id, entry)
    return entry
  }

  #rewind(toId: string): void {
    this.#rememberConversation()
    let isFound = !this.live.has(toId)
    for (const [id, entry] of this.live) {
      isFound ||= id === toId
      if (isFound) this.#drop(entry, 'rewound')
    }
    this.#isAfterRewind = true
  }

  #set(fields: RawObject, line: number): void {
    this.header.readSet(fields)
    noteMetadata('$set', fields, `line ${line}`, this.#problems)
    if (Array.isArray(fields.messages)) this.#rewrite(fields.messages, line)
  }

  #rewrite(rows: readonly unknown[], line: number): void {
    this.#rememberConversation()
    const before = this.live
    const fresh = new Set<LogEntry>()
    this.live = new Map()
    let isLoading = true
    for (const [index, row] of rows.entries()) {
      if (!isRawObject(row) || typeof row.id !== 'string') {
        this.#recordWithoutId(row, { line, index })
        continue
      }
      const known = this.#byId.get(row.id)
      const entry = known ?? this.#add(createEntry(row, true, { line, index }))
      if (known) fillFromRewrite(known, row)
      else fresh.add(entry)
      // Where the CLI fails on a row, it leaves the rest of the list.
      isLoading &&= isLoadedByCli(row)
      if (isLoading) this.live.set(row.id, entry)
      else entry.droppedBy ??= 'replaced'
    }
    const dropped = [...before.values()].filter((entry) => !this.live.has(entry.id))
    const copied = findCopies([...this.live.values()], this.#recentRows, dropped)
    const cause = classifyDrop({
      before: [...before.values()],
      dropped,
      fresh,
      copied,
      isAfterRewind: this.#isAfterRewind,
      isAfterMetadata: this.#isAfterMetadata,
    })
    for (const entry of dropped) entry.droppedBy = cause(entry)
    this.#recentRows = []
    this.#isAfterRewind = this.#isAfterMetadata = false
  }

  /** What the patch changes in a message, the CLI sends on; what was recorded before stays (rule 3). */
  #patch(patch: RawObject, line: number): void {
    for (const update of [patch, ...toObjects(patch.updates)]) {
      this.#problems.addUnknownNames('$patch', update, KNOWN_NAMES.patch, `line ${line}`)
      if (typeof update.id !== 'string') continue
      const entry = this.#byId.get(update.id)
      if (entry) fillFromPatch(entry, update)
      else this.#problems.addIssue('bad-field', `line ${line} $patch.id`)
    }
    const removed = this.#toLive(patch.removeIds)
    if (removed.length > 0) this.#rememberConversation()
    for (const entry of removed) this.#drop(entry, 'replaced')
    // Listed ids move to the end, in their order.
    for (const entry of this.#toLive(patch.orderIds)) {
      this.live.delete(entry.id)
      this.live.set(entry.id, entry)
    }
  }

  #toLive(ids: unknown): LogEntry[] {
    return Array.isArray(ids) ? ids.flatMap((id) => this.live.get(String(id)) ?? []) : []
  }

  #drop(entry: LogEntry, cause: Superseded): void {
    this.live.delete(entry.id)
    entry.droppedBy = cause
  }

  #rememberConversation(): void {
    const state = [...this.live.values()]
    if (state.some(isConversation)) this.lastConversation = state
  }
}

function toObjects(list: unknown): RawObject[] {
  return Array.isArray(list) ? list.filter(isRawObject) : []
}
