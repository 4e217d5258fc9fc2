import { setImmediate } from 'node:timers/promises'
import type { SearchHit } from '@gemini-dash/api'
import { type Session, type UnreadFile, unreadFiles } from 'gemini-sessions'
import type { GrowingSessionGroup } from 'gemini-sessions/node'
import type { IndexedGroup, IndexGroup } from '../contract/index-group.ts'
import type { IndexSearchRequest } from '../contract/index-search.ts'
import { isDatabaseError, isThreadFault } from '../database/is-database-error.ts'
import { type CloseWord, closestWords } from '../find/close-words/closest-words.ts'
import { findByScan, type ScanRun } from '../find/find-by-scan.ts'
import { findWords } from '../find/find-words.ts'
import type { HitReference, ShardFound } from '../find/hits/shard-found.ts'
import { type TouchedPath, touchedPaths } from '../find/touched-paths.ts'
import { SearchClock } from '../match/search-clock.ts'
import { giveBackMemory } from '../memory/give-back-memory.ts'
import { MessageReader } from '../source/message-reader.ts'
import { isReadFault, type ReadGroup, SessionReader } from '../source/session-reader.ts'
import { GrowingGroups, type OpenGrowing } from '../store/growing-groups.ts'
import type { KnownTexts } from '../store/known-texts.ts'
import { LastingStore, type LastingStoreOptions } from '../store/lasting-store.ts'
import type { SessionToWrite } from '../store/plan-session.ts'
import type { StoredGroup } from '../store/shard-store.ts'
import { describeHits } from './describe-hits.ts'
import type { HeldGroup } from './shard-message.ts'

const SLICE_MS = 20
/** Of the time of a search what its snippets may take, beyond that of finding. */
const DESCRIBE_SHARE = 0.2
/** A group that is held takes several times as much memory as its files have bytes. */
const LARGE_BYTES = 32 * 1024 * 1024

/** All texts of the sessions are at hand. */
const HELD = { texts: null }

type LargeReading = Pick<GrowingSessionGroup, 'read' | 'restore'>

export interface ShardOptions extends LastingStoreOptions {
  readGroup: ReadGroup
  /** Loads what `readGroup` needs. */
  loadReader?: () => Promise<unknown>
  /** Resolves when nobody waits for something that goes first. */
  giveWay?: () => Promise<void>
  /** For what grows while we look on; without it all is read whole each time. */
  openGrowing?: OpenGrowing
  /** For large groups: what is long in them stays in the files until its turn; without it all is held. */
  openLarge?: () => Promise<LargeReading>
  /** From so many bytes on; for tests. */
  largeBytes?: number
  /** A search met files that the system does not let us read now. Their paths are absolute. */
  onUnread: (groupId: string, files: UnreadFile[]) => void
}

/** One part of the index: one database, which reads groups into it, and searches it. */
export class Shard {
  readonly #options: ShardOptions
  readonly #reader: SessionReader
  readonly #messages = new MessageReader()
  readonly #growing: GrowingGroups | null
  readonly #store: LastingStore

  constructor(options: ShardOptions) {
    this.#options = options
    this.#reader = new SessionReader(options.readGroup, options.onUnread)
    this.#growing = options.openGrowing === undefined ? null : new GrowingGroups(options.openGrowing)
    this.#store = new LastingStore(options)
  }

  held(): HeldGroup[] {
    return [...this.#store.current.groups.values()].map(({ id, fingerprint }) => [id, fingerprint])
  }

  load(groupIds: readonly string[] | null): StoredGroup[] {
    return this.#store.readNow((store) => store.storedGroups(groupIds))
  }

  /** Loads what reading needs, so that no group is blamed where that cannot be loaded. */
  async loadReader(): Promise<void> {
    // Brings the price list along, which a warm start does without.
    await Promise.all([import('../store/to-write.ts'), this.#options.loadReader?.()])
  }

  /** Reads the group and stores what it says. A group that cannot be indexed says why and stops nothing. */
  async index(group: IndexGroup): Promise<IndexedGroup> {
    const { id, fingerprint } = group
    try {
      await this.#options.giveWay?.()
      this.#reader.forget(id)
      const growing = (await this.#growing?.of(group, this.#store.current.groups.get(id))) ?? null
      if (growing !== null)
        return await this.#write(group, await growing.read(group.files, group.claims), growing)
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

  /** null: it is small, or no file of messages. */
  async #openLarge(group: IndexGroup): Promise<LargeReading | null> {
    if (group.loose !== undefined || sizeOf(group) < (this.#options.largeBytes ?? LARGE_BYTES)) return null
    return (await this.#options.openLarge?.()) ?? null
  }

  /** What was rewritten meanwhile is read once more, and held. */
  async #indexLarge(group: IndexGroup, reading: LargeReading): Promise<IndexedGroup> {
    const sessions = await reading.read(group.files, group.claims)
    // What reading leaves behind is as much again as what is kept of it.
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
    // What is known of a group is more than what is left of it while some of its files cannot be read.
    if (unread.length > 0 && this.#store.current.groups.has(id)) {
      const sessions = await Promise.all(toBeWritten.map(recordAlone))
      return { id, fingerprint, sessions, failure: null, unread }
    }
    const stored = unread.length === 0 ? group : { ...group, fingerprint: NOT_READ }
    const sessions = await this.#store.read((store) => {
      texts?.begin()
      return store.write(stored, toBeWritten, pause)
    })
    texts?.keep()
    return { id, fingerprint, sessions, failure: null, ...(unread.length > 0 && { unread }) }
  }

  async remove(groupIds: string[]): Promise<void> {
    for (const id of groupIds) {
      this.#reader.forget(id)
      this.#growing?.forget(id)
      await this.#store.read((store) => store.remove(id))
    }
  }

  /** What it holds is nowhere else. */
  get isInMemory(): boolean {
    return this.#store.isInMemory
  }

  /** Reads what every search needs before the first one asks for it. */
  prepare(): void {
    try {
      this.#store.current.prepare()
    } catch (error) {
      // A search meets the same, and heals it.
      if (!isDatabaseError(error)) throw error
    }
  }

  find(request: IndexSearchRequest, run: Partial<ScanRun> = {}): Promise<ShardFound> {
    const isScan = request.mode !== 'words' && request.pattern.trim() !== ''
    const clock = new SearchClock(request.limitMs)
    const pause = pauser(() => clock.during(setImmediate))
    return this.#store.read((store) =>
      isScan
        ? findByScan(store, this.#reader, request, { ...NOT_WATCHED, clock, pause, ...run })
        : findWords(store, request),
    )
  }

  /** For each of the words those of the index that are nearly the same. */
  closestWords(words: string[]): CloseWord[][] {
    return this.#store.readNow(({ database }) => words.map((word) => closestWords(database, word)))
  }

  touchedPaths(typed: string): TouchedPath[] {
    return this.#store.readNow((store) => touchedPaths(store.calls('path'), typed))
  }

  describe(request: IndexSearchRequest, references: HitReference[]): Promise<SearchHit[]> {
    return this.#store.read((store) => {
      const sources = { store, sessions: this.#reader, messages: this.#messages }
      const clock = new SearchClock((request.limitMs ?? Number.POSITIVE_INFINITY) * DESCRIBE_SHARE)
      return describeHits(sources, request, references, {
        clock,
        pause: pauser(() => clock.during(setImmediate)),
      })
    })
  }

  commit(): Promise<void> {
    return this.#store.commit(pauser())
  }

  /** Why the disk does not keep what is stored here. */
  get problem(): string | null {
    return this.#store.problem
  }

  /** How long the last look at the whole database took that follows each commit. */
  get sealMs(): number {
    return this.#store.sealMs
  }

  /** The store and the file in which it is hold nothing afterwards. */
  beginAnew(): void {
    this.#store.beginAnew()
  }

  /** Leaves the file to its new owner and goes on in memory. */
  leaveDisk(): void {
    this.#store.leaveDisk()
  }

  /** `isHurried`: what would take too long to make sure of is left out, and read again at the next start. */
  close(options: { isHurried?: boolean } = {}): Promise<void> {
    return this.#store.close(options)
  }
}

/** The fingerprint of no group: it is read again at the next start. */
const NOT_READ = 'not read'

const NOT_WATCHED = { onPartial: () => {}, signal: new AbortController().signal }

function sizeOf({ files }: IndexGroup): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** A text is not where it was when its session was read. Never mistaken for an error of the database. */
class NoLongerThere extends Error {}

/** Lets waiting messages in when the work since the last pause has taken 20 ms; otherwise goes on at once. */
function pauser(giveWay: () => Promise<unknown> = setImmediate): () => Promise<void> {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < SLICE_MS) return
    await giveWay()
    startedMs = performance.now()
  }
}
