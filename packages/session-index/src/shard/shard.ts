import { setImmediate } from 'node:timers/promises'
import type { SearchHit } from '@gemini-dash/api'
import { type Message, type Session, type UnreadFile, unreadFiles } from 'gemini-sessions'
import type { GrowingSessionGroup } from 'gemini-sessions/node'
import type {
  FoundPlaces,
  IndexedGroup,
  IndexGroup,
  IndexSearchRequest,
  LongFrom,
  SessionAsk,
  SessionMaker,
  SessionRecord,
} from '../contract.ts'
import { isThreadFault } from '../database/shard-database.ts'
import type { Database, SqlRow } from '../driver.ts'
import { type CloseWord, closestWords } from '../find/close-words.ts'
import { answerSearch, findByScan, type ScanRun } from '../find/find-by-scan.ts'
import {
  type CommandQuery,
  type EditQuery,
  type FoundCommand,
  type FoundEdit,
  findCommands,
  findEdits,
} from '../find/find-calls.ts'
import { RowFinder, type TouchedPath, touchedPaths } from '../find/find-rows.ts'
import { type HitReference, type ShardFound, tellingFirst } from '../find/hits.ts'
import { giveBackMemory } from '../give-back-memory.ts'
import { cutSnippet, queryMatcher } from '../match/query-matcher.ts'
import { SearchClock, withinTime } from '../match/search-clock.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import { ROW_FLAGS } from '../rows.ts'
import { isReadFault, MessageReader, type ReadGroup, SessionReader } from '../source/message-reader.ts'
import { GrowingGroups, type OpenGrowing } from '../store/growing-groups.ts'
import type { KnownTexts } from '../store/known-texts.ts'
import { messagesOf } from '../store/message-table.ts'
import {
  recordOf,
  removeGroup,
  type SessionToWrite,
  writeDerived,
  writeGroup,
} from '../store/plan-session.ts'
import { titlePieces } from '../store/session-texts.ts'
import { LastingStore, type LastingStoreOptions, type ShardStore } from '../store/shard-store.ts'
import { NOT_READ } from '../store/stored-home.ts'
import { encodePieces, hashPieces } from '../store/write-session.ts'
import { type FieldPiece, fieldPieces, indexedPieces } from '../text.ts'

const SLICE_MS = 20
/** A further page repeats the search of the first one, and must not end before it. */
const PAGE_PATIENCE = 6
/** Shorter sessions are read quickly enough. */
const LONG_FROM: LongFrom = { bytes: 4 * 1024 * 1024, messages: 2_000 }
/** Holding a group takes several times the size of its files. */
const LARGE_BYTES = 32 * 1024 * 1024

/** All texts of the sessions are in memory. */
const HELD = { texts: null }

type LargeReading = Pick<GrowingSessionGroup, 'read' | 'restore'>

export interface ShardOptions extends LastingStoreOptions {
  readGroup: ReadGroup
  /** Loads what `readGroup` needs. */
  loadReader?: () => Promise<unknown>
  /** Resolves when no request with priority is pending. */
  giveWay?: () => Promise<void>
  /** For files that grow while being watched; without it, everything is read as a whole each time. */
  openGrowing?: OpenGrowing
  /** For large groups: long values stay in the files until needed; without it, everything is held. */
  openLarge?: () => Promise<LargeReading>
  /** Size of a large group; for tests. */
  largeBytes?: number
  /** Loads what answers questions about sessions; without it, none are answered here. */
  loadMaker?: () => Promise<SessionMaker>
  /** Sessions with more bytes or messages are long. */
  longFrom?: LongFrom
  /** A search found files that cannot be read at the moment. Their paths are absolute. */
  onUnread: (groupId: string, files: UnreadFile[]) => void
}

/** One part of the index: a database, into which it reads groups, and which it searches. */
export class Shard {
  readonly #options: ShardOptions
  readonly #reader: SessionReader
  readonly #messages = new MessageReader()
  readonly #growing: GrowingGroups | null
  /** For requests that only need the tables. */
  readonly store: LastingStore
  /** Called before the data held for a grown group is dropped. */
  onRest: (groupId: string) => void = () => {}

  constructor(options: ShardOptions, store = new LastingStore(options)) {
    this.#options = options
    this.#reader = new SessionReader(options.readGroup, options.onUnread)
    this.#growing =
      options.openGrowing === undefined
        ? null
        : new GrowingGroups(options.openGrowing, (groupId) => this.onRest(groupId))
    this.store = store
  }

  /** Loads what reading needs, so that no group is blamed if that fails. */
  async loadReader(): Promise<void> {
    // Loads the price list, which a warm start does not need.
    await Promise.all([import('../store/to-write.ts'), this.#options.loadReader?.()])
  }

  /** Reads and stores the group. A group that cannot be indexed returns the reason and does not stop the others. */
  async index(group: IndexGroup): Promise<IndexedGroup> {
    const { id, fingerprint } = group
    try {
      await this.#options.giveWay?.()
      this.#reader.forget(id)
      const growing =
        group.loose === undefined
          ? ((await this.#growing?.of(group, this.store.current.groups.get(id))) ?? null)
          : null
      if (growing !== null) {
        const read = await growing.read(group.files, group.claims)
        const indexed = await this.#write(group, read, growing)
        if (indexed.unread === undefined) this.#growing?.noteStored(group, read)
        return indexed
      }
      const reading = await this.#openLarge(group)
      if (reading === null) return await this.#write(group, await this.#options.readGroup(group), HELD)
      return await this.#indexLarge(group, reading)
    } catch (error) {
      if (isThreadFault(error)) throw error
      return {
        id,
        fingerprint,
        sessions: [],
        failure: error instanceof Error ? error.message : String(error),
        ...(isReadFault(error) && { unread: [{ path: error.path, code: error.code }] }),
      }
    }
  }

  /** null: it is small, or not a file of messages. */
  async #openLarge(group: IndexGroup): Promise<LargeReading | null> {
    if (group.loose !== undefined || sizeOf(group) < (this.#options.largeBytes ?? LARGE_BYTES)) return null
    return (await this.#options.openLarge?.()) ?? null
  }

  /** Files that were rewritten meanwhile are read again, and held. */
  async #indexLarge(group: IndexGroup, reading: LargeReading): Promise<IndexedGroup> {
    const sessions = await reading.read(group.files, group.claims)
    // Reading leaves as much garbage as live data.
    if (sizeOf(group) >= LARGE_BYTES) giveBackMemory()
    try {
      return await this.#write(group, sessions, {
        texts: null,
        whole: (messages) =>
          reading.restore(messages).catch(() => {
            throw new NoLongerThere()
          }),
      })
    } catch (error) {
      if (!(error instanceof NoLongerThere)) throw error
      return this.#write(group, await this.#options.readGroup(group), HELD)
    }
  }

  async #write(
    group: IndexGroup,
    read: Session[],
    { texts, whole = null }: { texts: KnownTexts | null; whole?: SessionToWrite['whole'] },
  ): Promise<IndexedGroup> {
    const { id, fingerprint, prices } = group
    const { toWrite, recordAlone } = await import('../store/to-write.ts')
    const pause = pauser(this.#options.giveWay)
    const toBeWritten = read.map((session) => toWrite(session, prices, { texts, whole }))
    const unread = unreadFiles(read, group.loose === undefined ? group.files : [])
    // The stored data of a group is more than what remains while some of its files cannot be read.
    if (unread.length > 0 && this.store.current.groups.has(id)) {
      const sessions = await Promise.all(toBeWritten.map(recordAlone))
      return { id, fingerprint, sessions, failure: null, unread }
    }
    const stored = unread.length === 0 ? group : { ...group, fingerprint: NOT_READ }
    const sessions = await this.store.read((store) => {
      texts?.begin()
      return writeGroup(store, stored, toBeWritten, { findRecord: this.#messages.recordFinder(), pause })
    })
    texts?.keep()
    // For a growing group they are made when it stops growing: until then it is held.
    if (unread.length === 0 && texts === null) await this.#derive(group, read)
    return { id, fingerprint, sessions, failure: null, ...(unread.length > 0 && { unread }) }
  }

  /** Prepares the first answers about a long session when it is stored. */
  async #derive(group: IndexGroup, read: readonly Session[]): Promise<void> {
    const { loadMaker, longFrom = LONG_FROM } = this.#options
    if (loadMaker === undefined || group.loose !== undefined) return
    const isLong = ({ messages }: Session) =>
      sizeOf(group) >= longFrom.bytes || messages.length >= longFrom.messages
    const long = read.filter(isLong)
    if (long.length === 0) return
    const maker = await loadMaker()
    for (const session of long) {
      const derived = maker.derive(session, group.prices)
      this.store.readNow((store) => writeDerived(store, group.id, session.key, derived))
    }
  }

  /** For a grown group that is about to be dropped. */
  async settle(groupId: string): Promise<void> {
    const group = this.store.current.groups.get(groupId)
    const held = group && this.#growing?.held(groupId, group.fingerprint)
    if (group !== undefined && held) await this.#derive(group, held.sessions)
  }

  /** Whether a group is read incrementally: new content of its files is stored soon. */
  isGrowing(groupId: string): boolean {
    return this.#growing?.has(groupId) ?? false
  }

  /** null: not stored here, or not for the current files. */
  async ask(asked: SessionAsk): Promise<{ answer: unknown } | null> {
    const { source, ownKey } = asked.args
    const { id, fingerprint } = source
    const { loadMaker } = this.#options
    if (loadMaker === undefined || this.store.current.groups.get(id)?.fingerprint !== fingerprint) return null
    const maker = await loadMaker()
    const held = this.#growing?.held(id, fingerprint) ?? null
    const answer =
      held === null
        ? await this.store.read((store) => {
            const stored = messagesOf(store, { groupId: id, key: ownKey }, this.#messages)
            return stored === null ? undefined : maker.answerStored(asked, stored)
          })
        : await maker.answerHeld(asked, held)
    return answer === undefined ? null : { answer }
  }

  async remove(groupIds: string[]): Promise<void> {
    for (const id of groupIds) {
      this.#reader.forget(id)
      this.#growing?.forget(id)
      await this.store.read((store) => removeGroup(store, id))
    }
  }

  /** Stores where everything is. */
  note(found: FoundPlaces): Promise<void> {
    return this.store.read((store) => store.note(found))
  }

  /** Its data exists nowhere else. */
  get isInMemory(): boolean {
    return this.store.isInMemory
  }

  find(request: IndexSearchRequest, run: Partial<ScanRun> = {}): Promise<ShardFound> {
    const isScan = request.mode !== 'words' && request.pattern.trim() !== ''
    const { limitMs = Number.POSITIVE_INFINITY, endAt } = request
    const clock = new SearchClock(endAt === undefined ? limitMs : limitMs * PAGE_PATIENCE)
    const pause = pauser(() => clock.during(setImmediate))
    return this.store.read((store) =>
      isScan
        ? findByScan(store, this.#reader, request, { ...NOT_WATCHED, clock, pause, ...run })
        : answerSearch(store, request, new RowFinder(store)),
    )
  }

  /** For each of the words, similar indexed words. */
  closestWords(words: string[]): CloseWord[][] {
    return this.store.readNow(({ database }) => words.map((word) => closestWords(database, word)))
  }

  touchedPaths(typed: string): TouchedPath[] {
    return this.store.readNow(({ database }) => touchedPaths(database, typed))
  }

  commands(query: CommandQuery): FoundCommand[] {
    return this.store.readNow(({ database }) => findCommands(database, query))
  }

  edits(query: EditQuery): FoundEdit[] {
    return this.store.readNow(({ database }) => findEdits(database, query))
  }

  describe(request: IndexSearchRequest, references: HitReference[]): Promise<SearchHit[]> {
    return this.store.read((store) => {
      const sources = { store, sessions: this.#reader, messages: this.#messages }
      return describeHits(sources, request, references)
    })
  }

  commit(): Promise<void> {
    return this.store.commit(pauser())
  }

  /** Why its data is not stored on disk. */
  get problem(): string | null {
    return this.store.problem
  }

  /** How long the last read of the whole database after a commit took. */
  get sealMs(): number {
    return this.store.sealMs
  }

  /** Afterwards the store and its file are empty. */
  beginAnew(): void {
    this.store.beginAnew()
  }

  /** Leaves the file to its new owner and continues in memory. */
  leaveDisk(): void {
    this.store.leaveDisk()
  }

  /** `isHurried`: skips what would take too long to verify; it is read again at the next start. */
  close(options: { isHurried?: boolean } = {}): Promise<void> {
    return this.store.close(options)
  }
}

const NOT_WATCHED = { onPartial: () => {}, signal: new AbortController().signal }

function sizeOf({ files }: IndexGroup): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** A text has moved since its session was read. Never mistaken for a database error. */
class NoLongerThere extends Error {}

/** Handles pending messages if 20 ms have passed since the last pause; otherwise continues at once. */
function pauser(giveWay: () => Promise<unknown> = setImmediate): () => Promise<void> {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < SLICE_MS) return
    await giveWay()
    startedMs = performance.now()
  }
}

/** Readers for the texts of hits. */
interface HitSources {
  store: ShardStore
  /** Reads whole groups. */
  sessions: SessionReader
  /** Reads single messages. */
  messages: MessageReader
}

/** Work time. Hits that are not read by then have no snippet. */
const DESCRIBING_MS = 4_000

/** The hits of a page with their snippets, read from the sessions' own files. In the given order. */
async function describeHits(
  sources: HitSources,
  request: Pick<IndexSearchRequest, 'mode' | 'tree' | 'pattern'>,
  references: HitReference[],
): Promise<SearchHit[]> {
  const clock = new SearchClock(DESCRIBING_MS)
  const pause = pauser(() => clock.during(setImmediate))
  const { matcher: eager } = await queryMatcher(request, clock.check)
  const matcher = eager && withinTime(eager, clock)
  const hits: SearchHit[] = []
  const rows = readRows(sources.store.database, references)
  for (const reference of references) {
    const row = rows.get(reference.row)
    const source = await readSource({ ...sources, clock, row }, reference, request.mode, matcher)
    hits.push(describe(reference, source, request, matcher))
    await pause()
  }
  return hits
}

interface TimedSources extends HitSources {
  clock: SearchClock
  /** The stored row of the message; undefined for a title. */
  row: SqlRow | undefined
}

/** In one statement, since outside a transaction each one takes a lock on the file. */
function readRows(database: Database, references: HitReference[]): Map<number, SqlRow> {
  const ids = JSON.stringify(references.map(({ row }) => row))
  return new Map(database.all(SELECT_ROWS, ids).map((row) => [Number(row.id), row]))
}

const SELECT_ROWS = `SELECT message.id, key, file, body -> '$.source' AS source, search_row.flags, hash
  FROM message JOIN search_row ON search_row.id = message.id WHERE message.id IN (SELECT value FROM json_each(?))`

interface HitSource {
  messageKey: string | null
  /** null for a title, and if the message is no longer on disk. */
  message: Message | null
  isSuperseded: boolean
  pieces: FieldPiece[]
}

async function readSource(
  sources: TimedSources,
  reference: HitReference,
  mode: IndexSearchRequest['mode'],
  matcher: TextMatcher | null,
): Promise<HitSource> {
  const { store, row } = sources
  const stored = store.sessionsOf(reference.groupId).find(({ key }) => key === reference.sessionKey)
  if (reference.row < 0 || stored === undefined) {
    const record = stored === undefined ? null : store.record(stored.number)
    const pieces = record === null ? [] : titleToShow(record, matcher)
    return { messageKey: null, message: null, isSuperseded: false, pieces }
  }
  const messageKey = row === undefined ? null : String(row.key)
  const isSuperseded = (Number(row?.flags ?? 0) & ROW_FLAGS.superseded) !== 0
  const alone = row === undefined ? null : readAlone(sources, row, reference)
  if (alone !== null && (mode === 'words' || alone.pieces.some(({ text }) => matcher?.isIn(text)))) {
    return { messageKey, isSuperseded, ...alone }
  }
  const message = await readWithGroup(sources, reference, messageKey)
  return { messageKey, message, isSuperseded, pieces: message === null ? [] : fieldPieces(message) }
}

/** If only filters led to a session, its title as in lists, even if that is its first prompt. */
function titleToShow(record: SessionRecord, matcher: TextMatcher | null): FieldPiece[] {
  const pieces = titlePieces(record)
  const { title } = record.summary
  if (title === '' || pieces.some(({ text }) => matcher?.isIn(text))) return pieces
  return [{ field: 'title', text: title, toolName: null }]
}

/** The message from its record only, if that contains everything indexed for it. */
function readAlone(
  { store, messages }: HitSources,
  row: SqlRow,
  { groupId, timeMs }: HitReference,
): { message: Message; pieces: FieldPiece[] } | null {
  const file = row.file === null ? undefined : store.groups.get(groupId)?.files[Number(row.file)]
  const record = recordOf({ source: JSON.parse(String(row.source)) })
  const message = file === undefined ? null : messages.read(file, record)
  // A message without a time takes that of the previous one, which is unknown here.
  if (message === null || Date.parse(message.timestamp ?? '') !== timeMs) return null
  const pieces = fieldPieces(message)
  const isWhole = row.hash === hashPieces(encodePieces(indexedPieces(pieces)))
  return isWhole ? { message, pieces } : null
}

async function readWithGroup(
  { store, sessions, clock }: TimedSources,
  { groupId, sessionKey }: HitReference,
  messageKey: string | null,
): Promise<Message | null> {
  const group = store.groups.get(groupId)
  const session = (group === undefined ? [] : ((await sessions.read(group, clock.leftMs)) ?? [])).find(
    ({ key }) => key === sessionKey,
  )
  return session?.messages.find(({ key }) => key === messageKey) ?? null
}

function describe(
  { sessionKey, field, timeMs, row }: HitReference,
  { messageKey, message, isSuperseded, pieces }: HitSource,
  { mode, tree }: Pick<IndexSearchRequest, 'mode' | 'tree'>,
  matcher: TextMatcher | null,
): SearchHit {
  const ofField = tellingFirst(
    pieces.filter((piece) => piece.field === field),
    tree,
    message,
  )
  const searched = mode === 'words' ? indexedPieces(ofField) : ofField
  const piece = searched.find(({ text }) => matcher?.isIn(text)) ?? searched[0]
  const snippet =
    piece === undefined ? { snippet: '', ranges: [] } : cutSnippet(piece.text, matcher ?? NOTHING)
  return {
    sessionKey,
    messageKey,
    messageId: message?.id ?? null,
    field,
    ...snippet,
    timestamp: row < 0 ? isoTime(timeMs) : (message?.timestamp ?? null),
    toolName: piece?.toolName ?? null,
    superseded: isSuperseded,
  }
}

/** For a query of only filters: the beginning of the message. */
const NOTHING: TextMatcher = { isIn: () => false, ranges: () => [] }

function isoTime(timeMs: number): string | null {
  return timeMs === 0 ? null : new Date(timeMs).toISOString()
}
