import { availableParallelism, loadavg } from 'node:os'
import type { IndexGroup, SessionIndex } from '@gemini-dash/session-index'
import { groupBytes, groupWrittenMs } from '../../catalog/group-files.ts'
import type { Library } from '../../library/library.ts'
import type { ReaderClient } from '../lanes/reader-client.ts'
import { placeOf } from '../place/place-of.ts'
import type { SessionPlace } from '../place/session-place.ts'
import { MIN_AGE_MS } from './opened-folder.ts'
import { MANY_MESSAGES } from './skeleton.ts'
import type { SkeletonFiles } from './skeleton-files.ts'

export interface SkeletonKeeperOptions {
  library: Library
  reader: ReaderClient
  files: SkeletonFiles
  /** null as long as nobody has opened it. */
  openedIndex: () => Promise<SessionIndex> | null
  idleTime?: IdleTime | undefined
}

/** When nothing else is to be done. */
export interface IdleTime {
  lookIntervalMs: number
  /** So long nobody has asked for the content of a session. */
  quietMs: number
  isMachineBusy: () => boolean
}

/** Smaller ones open fast enough the first time. */
const MIN_SOURCE_BYTES = 16 * 1024 * 1024
/** Files that grew once while we looked will grow again. */
const MIN_AGE_OF_GROWN_MS = 60_000
const RETRY_MS = 60_000
/** The load of a machine is told as that of its last minute: at first it is that of our own indexing. */
const OWN_LOAD_MS = 60_000
const IDLE_TIME: IdleTime = { lookIntervalMs: 5_000, quietMs: 5_000, isMachineBusy }
/** The larger part of what a skeleton takes of its session; of many short messages it can be twice their files. */
const ASSUMED_SHARE = 0.25
const ASSUMED_SHARE_OF_MANY = 2

/**
 * Has the skeletons of large and of long sessions written before somebody opens them: one at a time, when so little is left
 * to be indexed that a processor is free, and nothing else is to be done. Removes those of sessions that are gone.
 */
export class SkeletonKeeper {
  readonly #options: SkeletonKeeperOptions
  readonly #idleTime: IdleTime
  #timer: NodeJS.Timeout | null = null
  #sweptRevision = -1
  /** When so little was left to be indexed for the first time. */
  #firstLookMs: number | null = null
  /** Fingerprints of groups that need no look: there is a skeleton, or it was tried. */
  readonly #settled = new Map<string, string>()
  /** When the disk did not take one last. */
  #refusedMs = Number.NEGATIVE_INFINITY
  #isLooking = false
  #isClosed = false

  constructor(options: SkeletonKeeperOptions) {
    this.#options = options
    this.#idleTime = options.idleTime ?? IDLE_TIME
  }

  begin(): void {
    if (this.#timer !== null) return
    this.#timer = setInterval(() => void this.look(), this.#idleTime.lookIntervalMs).unref()
    void this.look()
    void this.#options.library.indexing.whenComplete().then(() => this.look())
  }

  /** Does what is to be done now, if nothing speaks against it. */
  async look(): Promise<void> {
    if (this.#isLooking || this.#options.library.indexing.groups.left >= availableParallelism()) return
    this.#isLooking = true
    this.#firstLookMs ??= performance.now()
    try {
      // Of several processes with one folder only the one whose index is kept looks after it.
      if ((await this.#options.openedIndex())?.isKept() !== true) return
      await this.#sweep()
      if (performance.now() - this.#refusedMs > RETRY_MS) await this.#prepareNext()
    } catch {
      // A question came in between, or the index is closed: there is a next time.
    } finally {
      this.#isLooking = false
    }
  }

  /** The disk takes nothing just now: what it refused is tried again, but not at every look. */
  noteRefusal(): void {
    this.#refusedMs = performance.now()
    this.#settled.clear()
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  async #sweep(): Promise<void> {
    const { catalog } = this.#options.library
    if (catalog.revision === this.#sweptRevision) return
    const { revision } = catalog
    await this.#options.files.keepOnly(catalog.groupIds())
    this.#sweptRevision = revision
  }

  async #prepareNext(): Promise<void> {
    const { reader, files } = this.#options
    for (const source of this.#lacking()) {
      if (this.#isClosed || !reader.isQuietFor(this.#idleTime.quietMs) || this.#isMachineBusy()) return
      const share = this.#hasManyMessages(source) ? ASSUMED_SHARE_OF_MANY : ASSUMED_SHARE
      if (!(await files.hasRoomFor(groupBytes(source) * share))) return
      const startedMs = performance.now()
      await reader.prepare(source, this.#placesIn(source))
      if (this.#refusedMs > startedMs) return
      this.#settled.set(source.id, source.fingerprint)
    }
  }

  #placesIn({ id }: IndexGroup): SessionPlace[] {
    const { catalog } = this.#options.library
    return catalog.sessionsOf(id).flatMap(({ summary }) => placeOf(catalog, summary.key) ?? [])
  }

  #isMachineBusy(): boolean {
    const isOwnLoad = performance.now() - (this.#firstLookMs ?? 0) < OWN_LOAD_MS
    return !isOwnLoad && this.#idleTime.isMachineBusy()
  }

  /** Groups that take long to read and that nobody writes to, the newest first. */
  #lacking(): IndexGroup[] {
    const { catalog } = this.#options.library
    const groups: IndexGroup[] = []
    for (const id of catalog.groupIds()) {
      const group = catalog.group(id)
      if (group === undefined || group.loose !== undefined) continue
      const settled = this.#settled.get(id)
      const minAgeMs = settled === undefined ? MIN_AGE_MS : MIN_AGE_OF_GROWN_MS
      if (settled === group.fingerprint || Date.now() - groupWrittenMs(group) < minAgeMs) continue
      if (groupBytes(group) >= MIN_SOURCE_BYTES || this.#hasManyMessages(group)) groups.push(group)
    }
    return groups.sort((a, b) => groupWrittenMs(b) - groupWrittenMs(a))
  }

  #hasManyMessages({ id }: IndexGroup): boolean {
    const records = this.#options.library.catalog.recordsOf(id)
    const messages = records.reduce((sum, { summary }) => sum + (summary.counts?.messages ?? 0), 0)
    return messages >= MANY_MESSAGES
  }
}

/** Where the system tells; elsewhere it is 0. */
function isMachineBusy(): boolean {
  return (loadavg()[0] ?? 0) > availableParallelism()
}
