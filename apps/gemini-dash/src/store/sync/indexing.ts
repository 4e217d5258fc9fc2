import type { LiveEvent } from '@gemini-dash/api'
import type { IndexedGroup, IndexGroup, SessionIndex, SessionRecord } from '@gemini-dash/session-index'
import type { UnreadFile } from 'gemini-sessions'
import type { GeminiHome, Scan } from 'gemini-sessions/node'
import type { KeyRegistry } from '../../own-data/key-registry.ts'
import type { WarningList } from '../warnings.ts'
import { groupWrittenMs, isOfSessions } from './group-scan.ts'
import { failedRecord } from './heads.ts'
import type { Retries } from './retries.ts'
import type { Rows } from './rows.ts'
import { explainNotKept } from './sync-warnings.ts'

interface IndexingOptions {
  rows: Rows
  /** Opens the index on the first call. */
  openIndex: () => Promise<SessionIndex>
  emit: (event: LiveEvent) => void
  onProgress: (filesDone: number, filesTotal: number) => void
  /** Called with the rows of each group that was read, or is known from an earlier run. */
  noteRows: (records: readonly SessionRecord[]) => void
  /** Called when everything is read. true: some of it will be read again. */
  review: () => boolean
  /** Receives groups that cannot be read at the moment. */
  unread: Retries
  /** Called when everything is read for the first time, and again after the index had lost something. */
  onWhole: () => void
  /** The heads of its files. */
  headsOf: (group: IndexGroup) => NonNullable<IndexGroup['heads']>
  /** Files of a group in places that cannot be listed at the moment. */
  unlistedOf: (group: IndexGroup) => UnreadFile[]
}

/** `rows`: only what the rows still lack. `text`: also everything that a search needs. */
export type IndexingScope = 'rows' | 'text'

const RETRY_MS = 5_000
const PROGRESS_INTERVAL_MS = 250
/** Maximum age of what is shown for a constantly growing session, if reading it takes less than that. */
const LAG_MS = 1_500

/** How far a group is read. */
interface Reading {
  /** Fingerprint of the state for which its rows are complete; null: they are not. */
  whole: string | null
  /** It had grown when it was read: its rows are complete up to that point. */
  isBehind: boolean
  /** Number of finished readings. */
  ended: number
  /** Fingerprint of the state that was last requested, until it is read. */
  asked: string | null
  /** The pause between a reading and the next one. */
  pause: NodeJS.Timeout | null
  /** Records from an earlier run if the group has changed since: shown if it cannot be read now. */
  earlier: SessionRecord[] | null
}

/**
 * Makes the index read groups that changed, and tracks the progress. A group that changes while it is read is read again afterwards, after
 * a pause: a log that never stops growing uses a share of a processor, not all of it.
 */
export class Indexing {
  readonly #options: IndexingOptions
  readonly #readings = new Map<string, Reading>()
  /** Groups whose text the index lacks although their rows exist. */
  readonly #lost = new Set<string>()
  /** Deleted groups that the index may still have data of. */
  readonly #gone = new Set<string>()
  /** Progress over all groups, until one of them changes: part of every answer. */
  #known: { revision: number; filesDone: number; filesTotal: number; areShown: boolean } | null = null
  /** Number of files found, until they are grouped; null from then on. */
  #expectedFiles: number | null = 0
  #scope: IndexingScope = 'rows'
  #index: SessionIndex | null = null
  #isComplete = false
  #losses = 0
  /** Losses after which everything was read again. */
  #settledLosses = 0
  readonly #waiting = new Set<{ isOver: () => boolean; resolve: () => void }>()
  #giveUp: (error: Error) => void = () => {}
  readonly #givenUp = new Promise<never>((_, reject) => {
    this.#giveUp = reject
  })
  /** Progress is reported only for these; null: for all. */
  #wanted: readonly IndexGroup[] | null = null
  #reportedMs = Number.NEGATIVE_INFINITY
  #retryTimer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: IndexingOptions) {
    this.#options = options
    this.#givenUp.catch(() => {})
  }

  /** Everything that the first scan found is read. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Complete, and the index has all of it: nothing that it lost still has to be read again. */
  get isReady(): boolean {
    return this.#isComplete && this.#lost.size === 0 && (this.#index?.isUp() ?? true)
  }

  /** Number of times the index has lost something. An answer during which this grew may be incomplete. */
  get losses(): number {
    return this.#losses
  }

  whenComplete(): Promise<void> {
    return this.#until(() => this.#isComplete)
  }

  /** @throws if it was given up */
  async whenReady(): Promise<void> {
    const isReady = this.#until(() => this.#isComplete && this.#lost.size === 0)
    await Promise.race([this.#givenUp, isReady])
  }

  /**
   * Resolves when everything that exists now was read in its current state. For a constantly growing group no reading is the last: the
   * second one that ends from now on was begun after now.
   */
  async whenCaughtUp(): Promise<void> {
    await this.whenReady()
    const { rows } = this.#options
    const ended = new Map(rows.groups().map(({ id }) => [id, this.#of(id).ended]))
    const isBehind = (group: IndexGroup) => {
      const before = ended.get(group.id)
      return before !== undefined && this.#of(group.id).ended < before + 2 && !this.#isWhole(group)
    }
    await this.#until(() => this.#isClosed || (this.#lost.size === 0 && !rows.groups().some(isBehind)))
  }

  /** Rejects what waits for the index. */
  giveUp(error: Error): void {
    this.#giveUp(error)
  }

  /** The number of files found; how they are grouped is not known until their heads are read. */
  expect(files: number): void {
    this.#expectedFiles = files
  }

  /** All groups have rows. */
  noteGrouped(): void {
    this.#expectedFiles = null
  }

  hasAllRows(): boolean {
    const { filesDone, areShown } = this.#all()
    return this.#expectedFiles === null ? areShown : filesDone === this.#expectedFiles
  }

  /** Groups whose rows do not match the current state of their files. A constantly growing group counts as read once it was read at all. */
  notShown(): IndexGroup[] {
    return this.#options.rows.groups().filter((group) => !this.#isShown(group))
  }

  /** In session files; of these groups, or of all. */
  progress(groups: readonly IndexGroup[] | null = null): { filesDone: number; filesTotal: number } {
    if (groups !== null) return this.#progressOf(groups)
    const { filesDone, filesTotal } = this.#all()
    return { filesDone, filesTotal: this.#expectedFiles ?? filesTotal }
  }

  #all() {
    const { rows } = this.#options
    if (this.#known?.revision === rows.revision) return this.#known
    const groups = rows.groups()
    const areShown = groups.every((group) => this.#isShown(group))
    this.#known = { revision: rows.revision, ...this.#progressOf(groups), areShown }
    return this.#known
  }

  #progressOf(groups: readonly IndexGroup[]): { filesDone: number; filesTotal: number } {
    let filesDone = 0
    let filesTotal = 0
    for (const group of groups) {
      if (!isOfSessions(group)) continue
      filesTotal += group.files.length
      if (this.#isShown(group) && !this.#lost.has(group.id)) filesDone += group.files.length
    }
    return { filesDone, filesTotal }
  }

  /** Sets the rows of a group if they are known for its current state. */
  take(
    group: IndexGroup,
    known: { fingerprint: string | null; sessions: SessionRecord[] } | undefined,
  ): boolean {
    if (this.#isWhole(group)) return true
    if (known === undefined || known.fingerprint !== group.fingerprint) return false
    this.#options.rows.put(group, known.sessions)
    this.#options.noteRows(known.sessions)
    Object.assign(this.#of(group.id), { whole: group.fingerprint, isBehind: false })
    this.#known = null
    this.#wake()
    return true
  }

  /** What an earlier run knew about a group that has changed since: shown if the group cannot be read now. */
  keepEarlier(groupId: string, records: SessionRecord[]): void {
    if (records.length > 0) this.#of(groupId).earlier = records
  }

  /** Tries groups again that could not be read. Groups that are gone no longer count as unread. */
  retry(groupIds: readonly string[]): void {
    const { rows, unread } = this.#options
    for (const id of groupIds) if (rows.group(id) === undefined) unread.delete(id)
    this.#ask(groupIds.flatMap((id) => rows.group(id) ?? []))
  }

  forget(groupId: string): void {
    clearTimeout(this.#readings.get(groupId)?.pause ?? undefined)
    this.#readings.delete(groupId)
    this.#lost.delete(groupId)
    this.#gone.add(groupId)
    this.#known = null
    this.#options.unread.delete(groupId)
    this.#wake()
  }

  /** The index has lost these groups. Their rows stay; their text is read again. */
  lose(groupIds: readonly string[]): void {
    if (this.#isClosed) return
    this.#losses += 1
    // Until the disk is scanned nothing can be requested; afterwards everything that is not stored will be.
    if (this.#expectedFiles !== null || this.#scope === 'rows') return
    const lost = groupIds.flatMap((id) => this.#options.rows.group(id) ?? [])
    for (const { id } of lost) this.#lost.add(id)
    this.#known = null
    this.#tellProgress(true)
    this.#ask(lost, true)
  }

  /**
   * Makes the index read these groups before the rest of the disk is scanned. Resolves when they are requested. What is not finished by the
   * time everything is requested is requested again in order: later requests go first.
   */
  async startEarly(groups: readonly IndexGroup[]): Promise<void> {
    this.#scope = 'text'
    const held = (await this.#open()).fingerprints()
    this.#ask(
      groups.filter(({ id, fingerprint }) => held.get(id) !== fingerprint),
      true,
    )
  }

  /** Makes the index read what it lacks and drop what is gone. Resolves when this is requested, not when it is done. */
  async bringUpToDate(scope: IndexingScope): Promise<void> {
    const { rows, unread } = this.#options
    this.#scope = scope
    const index = await this.#open()
    const held = index.fingerprints()
    const gone = [...new Set([...held.keys(), ...this.#gone])].filter((id) => rows.group(id) === undefined)
    this.#gone.clear()
    if (gone.length > 0) await index.remove(gone)
    // The index may lack the text of known rows.
    if (scope === 'text')
      for (const group of rows.groups()) {
        const isMissing = held.get(group.id) !== group.fingerprint && !unread.has(group.id)
        if (isMissing && this.#isWhole(group)) this.#lost.add(group.id)
      }
    this.#known = null
    this.start(this.#unread())
    // The last lost group may have been deleted from disk.
    if (this.#isComplete) this.#settle()
  }

  /** Reads only these groups. Resolves when their rows exist. @throws if the index was given up */
  async readOnly(groups: readonly IndexGroup[]): Promise<void> {
    this.#wanted = groups
    await this.#open()
    this.#tellProgress()
    await Promise.race([this.#givenUp, this.#read(groups.filter((group) => !this.#isWhole(group)))])
    this.#wanted = null
  }

  /** Makes the index read these groups, unless already requested. */
  start(groups: readonly IndexGroup[]): void {
    this.#ask(groups, !this.#isComplete)
  }

  /** Announces that its rows have changed. */
  tellChanged(groupId: string): void {
    const { rows, emit } = this.#options
    for (const { summary } of rows.sessionsOf(groupId)) {
      for (const sessionKey of [summary.key, summary.parentKey]) {
        if (sessionKey !== null) emit({ kind: 'changed', sessionKey, projectKey: summary.project.key })
      }
    }
  }

  close(): void {
    this.#isClosed = true
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer)
    for (const { pause } of this.#readings.values()) clearTimeout(pause ?? undefined)
    this.#wake()
  }

  /**
   * `isNow`: includes groups waiting to be read in an older state, and those just read. Even without groups it asks, to learn when
   * everything is done.
   */
  #ask(groups: readonly IndexGroup[], isNow = false): void {
    const wanted = groups.filter(({ id, fingerprint }) => {
      const { asked, pause } = this.#of(id)
      return isNow ? asked !== fingerprint : asked === null && pause === null
    })
    if (wanted.length === 0 && !isNow) return
    for (const { id, fingerprint } of wanted) this.#of(id).asked = fingerprint
    if (!this.#isComplete) this.#tellProgress()
    this.#read(wanted)
      .then(() => this.#settle())
      .catch(() => this.#askLater(wanted))
  }

  /** The index is unavailable, for example because its threads do not start. */
  #askLater(groups: readonly IndexGroup[]): void {
    for (const { id, fingerprint } of groups) {
      const reading = this.#of(id)
      if (reading.asked === fingerprint) reading.asked = null
    }
    if (this.#isClosed) return
    this.#retryTimer ??= setTimeout(() => {
      this.#retryTimer = null
      this.start(this.#unread())
    }, RETRY_MS)
  }

  async #read(groups: readonly IndexGroup[]): Promise<void> {
    const index = await this.#open()
    const present = groups.filter(({ id }) => this.#options.rows.group(id) !== undefined)
    await index.update(this.#readable(present), (indexed, tookMs) => this.#takeIndexed(indexed, tookMs))
  }

  async #open(): Promise<SessionIndex> {
    this.#index = await this.#options.openIndex()
    return this.#index
  }

  /** Omits unlisted groups: the index would find them deleted. */
  #readable(groups: readonly IndexGroup[]): IndexGroup[] {
    const { headsOf, unlistedOf } = this.#options
    return groups.flatMap((group) => {
      const { id, fingerprint, files, claims, loose, prices } = group
      const unread = unlistedOf(group)
      if (unread.length > 0) {
        this.#takeIndexed({ id, fingerprint, sessions: [], failure: null, unread }, 0)
        return []
      }
      const heads = isOfSessions(group) ? headsOf(group) : {}
      return [{ id, fingerprint, files, claims, loose, prices, heads }]
    })
  }

  /** What was read is shown, even if the group has grown meanwhile: then it is read again. */
  #takeIndexed(indexed: IndexedGroup, tookMs: number): void {
    const { id, fingerprint, sessions, failure, unread } = indexed
    const { rows, noteRows } = this.#options
    const group = rows.group(id)
    // Its removal is requested, too, and follows its reading.
    if (group === undefined) return
    const reading = this.#of(id)
    const source = { ...group, fingerprint }
    this.#rest(group, fingerprint, tookMs)
    Object.assign(reading, { whole: fingerprint, isBehind: group.fingerprint !== fingerprint })
    reading.ended += 1
    this.#known = null
    const wasLost = this.#lost.delete(id)
    if (unread !== undefined) {
      this.#keepKnown(source, sessions, unread)
    } else {
      const known = rows.recordsOf(id)
      rows.put(group, failure === null ? sessions : known.map((each) => failedRecord(each, failure)), source)
      reading.earlier = null
      if (failure === null) noteRows(sessions)
      if (failure === null) this.#options.unread.delete(id)
      else this.#options.unread.fail(id)
    }
    if (this.#isComplete && !wasLost) this.tellChanged(id)
    else this.#tellProgress()
    this.#wake()
  }

  /** Some files could not be read: the known records of the group stay, if there are any. */
  #keepKnown(source: IndexGroup, read: SessionRecord[], files: readonly UnreadFile[]): void {
    const { rows, unread } = this.#options
    const { id } = source
    const shown = rows.recordsOf(id)
    const isKnown = rows.isKnown(id)
    const known = isKnown ? shown : this.#of(id).earlier
    const group = rows.group(id) ?? source
    rows.put(group, known ?? (read.length === 0 ? shown : read), isKnown ? rows.sourceOf(id) : source)
    rows.setUnread(id, { files, isKnown: known !== null })
    const absolute = new Map(group.files.map(({ path, absolutePath }) => [path, absolutePath]))
    unread.set(
      id,
      files.map(({ path, code }) => ({ path: absolute.get(path) ?? path, code })),
    )
  }

  /** It was read in that state. If it has changed since, it is read again after a pause. */
  #rest({ id }: IndexGroup, fingerprint: string, tookMs: number): void {
    const reading = this.#of(id)
    // Requested again meanwhile in its current state: that reading follows.
    if (reading.asked !== fingerprint) return
    reading.asked = null
    const readOn = () => {
      reading.pause = null
      const group = this.#options.rows.group(id)
      if (group !== undefined && !this.#isWhole(group)) this.#ask([group])
    }
    reading.pause = setTimeout(readOn, pauseAfter(tookMs)).unref()
  }

  #settle(): void {
    const isWhole = () => this.#expectedFiles === null && this.#lost.size === 0 && this.hasAllRows()
    if (this.#isClosed || !isWhole() || this.#options.review()) return
    const isNews = !this.#isComplete || this.#losses !== this.#settledLosses
    this.#isComplete = true
    this.#settledLosses = this.#losses
    this.#wake()
    if (!isNews) return
    this.#tellProgress(true)
    this.#options.onWhole()
  }

  /** Groups whose current state is missing, in rows or for searches; newest first. */
  #unread(): IndexGroup[] {
    const unread = this.#options.rows
      .groups()
      .filter((group) => !this.#isWhole(group) || this.#lost.has(group.id))
    const isLoose = (group: IndexGroup) => (isOfSessions(group) ? 0 : 1)
    return unread.sort((a, b) => isLoose(a) - isLoose(b) || groupWrittenMs(b) - groupWrittenMs(a))
  }

  /** The rows of the group match its files completely. */
  #isWhole({ id, fingerprint }: IndexGroup): boolean {
    return this.#readings.get(id)?.whole === fingerprint
  }

  #isShown(group: IndexGroup): boolean {
    return this.#isWhole(group) || this.#readings.get(group.id)?.isBehind === true
  }

  #of(groupId: string): Reading {
    const known = this.#readings.get(groupId)
    if (known !== undefined) return known
    const reading = { whole: null, isBehind: false, ended: 0, asked: null, pause: null, earlier: null }
    this.#readings.set(groupId, reading)
    return reading
  }

  /** At most as often as anyone could notice. `isLast`: must not be skipped. */
  #tellProgress(isLast = false): void {
    const nowMs = performance.now()
    if (!isLast && nowMs - this.#reportedMs < PROGRESS_INTERVAL_MS) return
    this.#reportedMs = nowMs
    const { filesDone, filesTotal } = this.progress(this.#wanted)
    this.#options.onProgress(filesDone, filesTotal)
    this.#options.emit({ kind: 'index' })
  }

  #until(isOver: () => boolean): Promise<void> {
    if (isOver()) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.add({ isOver, resolve }))
  }

  #wake(): void {
    for (const each of this.#waiting) {
      if (!each.isOver()) continue
      this.#waiting.delete(each)
      each.resolve()
    }
  }
}

/**
 * Twice the duration of the reading, as long as the rows shown stay younger than the limit: their age at the next update is the pause and
 * two readings. A long reading is followed by a short pause.
 */
function pauseAfter(tookMs: number): number {
  return Math.min(2 * tookMs, Math.max(LAG_MS - 2 * tookMs, tookMs / 4))
}

/** One write for many groups that are read one after the other. */
const WRITE_AFTER_MS = 500
const RETRY_AFTER_MS = 5_000

/** Records the keys of what was read, and plans them again if they cannot stay. */
export class KeyRecorder {
  readonly #keys: KeyRegistry
  readonly #warnings: WarningList
  readonly #planAgain: () => void
  #timer: NodeJS.Timeout | null = null

  constructor({ keys, warnings }: { keys: KeyRegistry; warnings: WarningList }, planAgain: () => void) {
    this.#keys = keys
    this.#warnings = warnings
    this.#planAgain = planAgain
  }

  get isPlanOutdated(): boolean {
    return this.#keys.isPlanOutdated
  }

  /** `homes`: those in which all existing files were found. */
  expect({ files, missing }: Scan, homes: readonly GeminiHome[]): void {
    const reached = homes.filter(({ tmpPath }) => missing?.includes(tmpPath) !== true)
    this.#keys.expect(
      files,
      reached.map(({ path }) => path),
    )
  }

  note(records: readonly SessionRecord[]): void {
    const wasOutdated = this.#keys.isPlanOutdated
    this.#keys.note(records)
    if (!wasOutdated && this.#keys.isPlanOutdated) this.#planAgain()
    this.#plan(WRITE_AFTER_MS)
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#write()
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #plan(delayMs: number): void {
    if (this.#keys.hasNews) this.#timer ??= setTimeout(() => this.#write(), delayMs).unref()
  }

  #write(): void {
    this.#timer = null
    try {
      this.#keys.flush()
      this.#warnings.clear('keys-not-recorded')
    } catch (error) {
      this.#plan(RETRY_AFTER_MS)
      // one cause, one warning: an unusable folder refuses everything stored in it
      if (this.#warnings.has('data-not-kept')) {
        this.#warnings.clear('keys-not-recorded')
        return
      }
      const reason = error instanceof Error ? error.message : String(error)
      this.#warnings.warn({
        code: 'keys-not-recorded',
        ...explainNotKept('Which session each link means', reason, '--data-dir'),
      })
    }
  }
}
