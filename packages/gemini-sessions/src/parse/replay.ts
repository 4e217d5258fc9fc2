import type { Superseded } from '../model/message.ts'
import { isRawObject, KNOWN_NAMES, type RawObject } from '../raw.ts'
import { flattenContent, plainText } from './lift/parts.ts'
import { splitContext, toOrigin } from './lift/prompt.ts'
import { hasTokens } from './lift/tokens.ts'
import { HeaderReader, type LogRecord, noteMetadata } from './log.ts'
import { Problems, printableName } from './problems.ts'
import {
  createEntry,
  isResultMasked,
  type LogEntry,
  type RowPlace,
  readRowFields,
  toCallRows,
} from './row.ts'

/** Replays the records of a log in order; keeps everything ever recorded and why it left the live list. */
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
  /** A run reopened this log, which already had a conversation, and has added nothing yet. */
  #isReopened = false

  /** The CLI's current list, in its order. */
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

  /** A separate log that can be continued without changing this one. */
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

  /** The last added entry starts a resumed run, unless it is the empty notice of a compression. */
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
    // written on a resume (0.39+), and on a compression (0.44+), which is recognized by the rewrite after it
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

  /** Makes the listed rows the live list; adds new ones to `fresh`. */
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
      // If the CLI fails on a row, it leaves out the rest of the list.
      isLoading &&= isLoadedByCli(row)
      if (isLoading || this.#live.has(row.id)) this.#live.set(entry)
      else entry.droppedBy ??= 'replaced'
    }
  }

  /** The CLI sends the patched messages; what was recorded before stays (rule 3). */
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

  /** Saves the live list if a change removes the last human or model message from it. */
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

interface Rewrite {
  before: readonly LogEntry[]
  dropped: readonly LogEntry[]
  /** Entries first seen in this rewrite. */
  fresh: ReadonlySet<LogEntry>
  /** Originals that continue as copies under a new id; null if the rewrite made none. */
  copied: ReadonlySet<LogEntry> | null
  isAfterRewind: boolean
  /** The rewrite follows a metadata line: a new process took over the file. */
  isAfterMetadata: boolean
}

/** Why a `$set.messages` dropped each message (gemini-format of 0.44 to 0.61). */
function classifyDrop(rewrite: Rewrite): (entry: LogEntry) => Superseded {
  const cause = toCause(rewrite)
  return (entry) => {
    if (isNotice(entry)) return 'replaced'
    if (cause !== 'aborted') return cause
    // What continues under a new id was replaced; only what has no copy was really undone.
    return rewrite.copied?.has(entry) || isContext(entry) ? 'replaced' : 'aborted'
  }
}

function toCause(rewrite: Rewrite): Superseded {
  if (rewrite.isAfterRewind) return 'rewound'
  if ([...rewrite.fresh].some(isSnapshot)) return 'compacted'
  if (rewrite.copied !== null) return 'aborted'
  return isRequestTakenBack(rewrite) ? 'aborted' : 'replaced'
}

/** A failed or refused request removes the last prompt, with everything that already answered it, and adds nothing. */
function isRequestTakenBack({ before, dropped, fresh, isAfterMetadata }: Rewrite): boolean {
  if (isAfterMetadata || fresh.size > 0) return false
  const spoken = before.filter((entry) => !isNotice(entry))
  const taken = dropped.filter((entry) => !isNotice(entry))
  const isTail =
    taken.length > 0 && taken.every((entry, index) => entry === spoken[spoken.length - taken.length + index])
  const isOneTurn = taken.slice(1).every((entry) => toOrigin(entry.type, entry.content) !== 'human')
  return isTail && isOneTurn && taken.some((entry) => isConversation(entry) || isToolResult(entry))
}

function isNotice(entry: LogEntry): boolean {
  return entry.type === 'info' || entry.type === 'error' || entry.type === 'warning'
}

function isContext(entry: LogEntry): boolean {
  return toOrigin(entry.type, entry.content) === 'injected'
}

function isToolResult(entry: LogEntry): boolean {
  return toOrigin(entry.type, entry.content) === 'tool-result'
}

/** By the user or the model. */
export function isConversation(entry: LogEntry): boolean {
  const origin = toOrigin(entry.type, entry.content)
  return origin === 'human' || origin === 'model'
}

/** The result of compressing everything before it (0.44+). */
function isSnapshot(entry: LogEntry): boolean {
  return entry.type === 'user' && plainText(entry.content).trimStart().startsWith('<state_snapshot>')
}

/** The empty notice left by `/compress` (0.18+). */
export function isCompressMark(entry: LogEntry | undefined): boolean {
  return entry?.type === 'info' && plainText(entry.content) === ''
}

/** A row of a `$set.messages` determines order and survival; it only adds what no ordinary row had. */
export function fillFromRewrite(entry: LogEntry, row: RawObject, place: RowPlace = {}): void {
  const isWeak = entry.isFromRewritesOnly
  if (isFilled(row.content) && (isWeak || !isFilled(entry.content))) {
    // the same content again leaves the message where it was first written
    if (JSON.stringify(row.content) !== JSON.stringify(entry.content)) Object.assign(entry, place)
    keepFullResults(entry, { type: row.type, content: row.content })
    entry.content = row.content
    entry.displayContent = row.displayContent
  }
  if (isFilled(row.thoughts) && (isWeak || !isFilled(entry.thoughts))) entry.thoughts = row.thoughts
  if (isFilled(row.toolCalls) && (isWeak || !isFilled(entry.toolCalls))) {
    keepFullResults(entry, { toolCalls: row.toolCalls })
    entry.toolCalls = row.toolCalls
  }
  if (isFilled(row.model) && (isWeak || !isFilled(entry.model))) entry.model = row.model
  if (hasTokens(row.tokens)) entry.tokens = row.tokens
}

/** Adds from a `$patch` update (after 0.61) what the message's own rows did not have: content, results of calls. */
function fillFromPatch(entry: LogEntry, update: RawObject): void {
  // a patch has no message that could be shown as the record of this one
  fillFromRewrite(entry, { content: update.content })
  const { toolCalls: updates } = update
  if (!Array.isArray(updates) || !Array.isArray(entry.toolCalls)) return
  entry.toolCalls = entry.toolCalls.map((call) => {
    const patch = updates.find((row) => isRawObject(row) && isRawObject(call) && row.id === call.id)
    const isMissing = isRawObject(call) && (call.result === undefined || call.result === null)
    return isMissing && isRawObject(patch) ? { ...call, result: patch.result } : call
  })
}

/** An ordinary row replaces the message, but a later row without tokens keeps the earlier ones. */
function replaceWithRow(entry: LogEntry, row: RawObject, place: RowPlace): void {
  keepFullResults(entry, row)
  Object.assign(entry, readRowFields(row))
  if (hasTokens(row.tokens) || !hasTokens(entry.tokens)) entry.tokens = row.tokens
  entry.row = row
  entry.line = place.line
  entry.index = place.index
  entry.isFromRewritesOnly = false
}

/** A non-empty field of a row. */
function isFilled(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null
}

/**
 * Masking (0.29+) replaces long outputs of old calls by a short note, in the calls and in the `user` turns with the results. Saves, before
 * a row replaces them, what the entry still has in full.
 */
function keepFullResults(entry: LogEntry, row: RawObject): void {
  const full = new Map<string, unknown>()
  if (toCallRows(row.toolCalls).some((call) => isResultMasked(call.result, call.id))) {
    for (const call of toCallRows(entry.toolCalls)) keep(full, call.id, call.result)
  }
  if (row.type === 'user' && typeof row.content !== 'string') {
    for (const part of flattenContent(row.content)) {
      const id =
        isRawObject(part) && isRawObject(part.functionResponse) ? part.functionResponse.id : undefined
      if (id !== undefined && isResultMasked(row.content, id)) keep(full, id, entry.content)
    }
  }
  // A new map, so that a comparison sees that the entry has changed.
  if (full.size > 0) entry.fullResults = new Map([...(entry.fullResults ?? []), ...full])
}

function keep(full: Map<string, unknown>, callId: unknown, result: unknown): void {
  if (typeof callId === 'string' && !isResultMasked(result, callId)) full.set(callId, result)
}

/**
 * After an aborted turn (0.57+) the CLI appends the remaining history under new ids and then sets the list to exactly these rows. Marks
 * each with the message it repeats (contract rule 4a).
 *
 * @returns the originals that continue as copies, or null if the rewrite is not of this kind
 */
function findCopies(
  listed: readonly LogEntry[],
  recentRows: readonly { entry: LogEntry; isFirst: boolean }[],
  dropped: readonly LogEntry[],
): ReadonlySet<LogEntry> | null {
  const rows = recentRows.slice(recentRows.length - listed.length)
  const isCopying =
    listed.length > 0 &&
    rows.length === listed.length &&
    rows.every((row, index) => row.isFirst && row.entry === listed[index])
  if (!isCopying) return null
  const unmatched = groupByIdentity(dropped)
  const originals = new Set<LogEntry>()
  for (const copy of listed) {
    const identity = toIdentity(copy)
    const original = identity === null ? undefined : unmatched.get(identity)?.pop()
    if (!original) continue
    copy.copyOf = original
    originals.add(original)
  }
  // After the first turn only the context remains, which repeats no message.
  return originals.size > 0 || listed.every((entry) => toIdentity(entry) === null) ? originals : null
}

/** The first of each group is last, where removing it is free. */
function groupByIdentity(entries: readonly LogEntry[]): Map<string, LogEntry[]> {
  const groups = new Map<string, LogEntry[]>()
  for (const entry of entries) {
    const identity = toIdentity(entry)
    if (identity === null) continue
    const group = groups.get(identity)
    if (group) group.push(entry)
    else groups.set(identity, [entry])
  }
  for (const group of groups.values()) group.reverse()
  return groups
}

/** Type with call ids or, without calls, with text; null if there is neither: two empty ones prove nothing. */
function toIdentity(entry: LogEntry): string | null {
  const callIds = toCallIds(entry)
  if (callIds.length > 0) return `${entry.type} calls\n${callIds.join('\n')}`
  const text = splitContext(plainText(entry.content)).rest.trim()
  return text === '' ? null : `${entry.type} text\n${text}`
}

function toCallIds(entry: LogEntry): string[] {
  const ids = new Set<unknown>(toCallRows(entry.toolCalls).map((call) => call.id))
  for (const part of Array.isArray(entry.content) ? entry.content : []) {
    if (!isRawObject(part)) continue
    if (isRawObject(part.functionCall)) ids.add(part.functionCall.id)
    if (isRawObject(part.functionResponse)) ids.add(part.functionResponse.id)
  }
  return [...ids]
    .filter((id) => typeof id === 'string' && id !== '')
    .map(String)
    .sort()
}

/**
 * The CLI's loader (0.44 to 0.61) reads the text of each message during replay; if that throws, it ignores the message. Only parts of
 * impossible types do that.
 */
export function isLoadedByCli({ type, content }: RawObject): boolean {
  if (!isReadable(content)) return false
  const isTrimmed = type === 'user' || type === 'gemini'
  if (!isTrimmed || !isRawObject(content)) return true
  const { text } = content
  return (
    text === undefined ||
    text === null ||
    typeof text === 'string' ||
    NAMED_KINDS.some((kind) => content[kind] !== undefined)
  )
}

/** Types of parts that the CLI handles before text; of the first ones it reads nothing more. */
const PLAIN_KINDS = ['videoMetadata', 'thought', 'codeExecutionResult', 'executableCode', 'fileData']
const NAMED_KINDS = [...PLAIN_KINDS, 'functionCall', 'functionResponse', 'inlineData']

/** Lists some thousand levels deep overflow the stack, in the CLI as well as here. */
const MAX_DEPTH = 1_000

function isReadable(value: unknown, depth = 0): boolean {
  if (Array.isArray(value)) return depth < MAX_DEPTH && value.every((item) => isReadable(item, depth + 1))
  if (!isRawObject(value) || PLAIN_KINDS.some((kind) => value[kind] !== undefined)) return true
  if (value.functionCall !== undefined) return value.functionCall !== null
  if (value.functionResponse !== undefined) return value.functionResponse !== null
  if (value.inlineData === undefined) return true
  if (value.inlineData === null) return false
  const mimeType = isRawObject(value.inlineData) ? value.inlineData.mimeType : undefined
  return mimeType === undefined || mimeType === null || typeof mimeType === 'string'
}

interface Node {
  readonly entry: LogEntry
  readonly previous: Node | null
  isSpoken: boolean
}

/**
 * The CLI's current messages, in its order. A linked list from last to first: removing a tail costs only its length, and remembering an
 * earlier state is free, however often a log is rewound.
 */
export class LiveList {
  readonly #byId = new Map<string, Node>()
  #last: Node | null = null
  #spokenCount = 0

  constructor(entries: Iterable<LogEntry> = []) {
    for (const entry of entries) this.set(entry)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  get(id: string): LogEntry | undefined {
    return this.#byId.get(id)?.entry
  }

  /** One of them is by the user or the model. */
  get isConversation(): boolean {
    return this.#spokenCount > 0
  }

  /** Appends an entry; one already in the list keeps its position. Call it whenever an entry has changed. */
  set(entry: LogEntry): void {
    let node = this.#byId.get(entry.id)
    if (!node) {
      node = { entry, previous: this.#last, isSpoken: false }
      this.#byId.set(entry.id, node)
      this.#last = node
    }
    const isSpoken = isConversation(entry)
    this.#spokenCount += Number(isSpoken) - Number(node.isSpoken)
    node.isSpoken = isSpoken
  }

  /** Removes the entry and everything after it; all entries if the id is unknown. */
  cutFrom(id: string): LogEntry[] {
    const cut: LogEntry[] = []
    const end = this.#byId.get(id)?.previous ?? null
    for (let node = this.#last; node !== end && node !== null; node = node.previous) {
      this.#byId.delete(node.entry.id)
      this.#spokenCount -= Number(node.isSpoken)
      cut.push(node.entry)
    }
    this.#last = end
    return cut.reverse()
  }

  values(): LogEntry[] {
    return this.remember()()
  }

  /** Returns a function that gives the list as it is now, at any later time. */
  remember(): () => LogEntry[] {
    const last = this.#last
    return () => {
      const entries: LogEntry[] = []
      for (let node = last; node !== null; node = node.previous) entries.push(node.entry)
      return entries.reverse()
    }
  }
}

/** Rows without id, which the CLI skips: each is kept once, as superseded. */
class NamelessRows {
  /** By time, type and text. */
  readonly #seen: Set<string>

  constructor(earlier?: NamelessRows) {
    this.#seen = new Set(earlier === undefined ? [] : earlier.#seen)
  }

  /** null: it already existed. */
  add(row: RawObject, place: RowPlace): LogEntry | null {
    const identity = `${row.timestamp}\n${row.type}\n${plainText(row.content)}`
    if (this.#seen.has(identity)) return null
    this.#seen.add(identity)
    const entry = createEntry(row, false, place)
    entry.droppedBy = 'replaced'
    return entry
  }
}

/**
 * A row of a `$set.messages` without the fields that `fillFromRewrite` would ignore, because the entry has them from an ordinary row. A
 * list of 100 MB mostly repeats known content, which is thus not held a second time while it arrives.
 */
export function slimRow(row: unknown, find: (id: string) => LogEntry | undefined): unknown {
  if (!isRawObject(row) || typeof row.id !== 'string') return row
  const entry = find(row.id)
  if (!entry || entry.isFromRewritesOnly) return row
  const { id, type, content, thoughts, toolCalls, model, tokens } = row
  const isContentRead = !isFilled(entry.content) || !isLoadedByCli(row)
  return {
    id,
    type,
    // Empty for the check whether the CLI can load it.
    content: isContentRead ? content : '',
    displayContent: isContentRead ? row.displayContent : undefined,
    thoughts: isFilled(entry.thoughts) ? undefined : thoughts,
    toolCalls: isFilled(entry.toolCalls) ? undefined : toolCalls,
    model,
    tokens,
  }
}
