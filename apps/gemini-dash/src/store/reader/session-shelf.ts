import { giveBackMemory, type IndexGroup } from '@gemini-dash/session-index'
import { unreadFiles } from 'gemini-sessions'
import { GrowingSessionGroup, type LooseFiles, ReadFault, readLooseSessions } from 'gemini-sessions/node'
import { groupBytes, groupWrittenMs } from '../catalog/group-files.ts'
import { ShelvedSessions } from './skeleton/shelved-sessions.ts'
import { MANY_MESSAGES, openSkeleton, toSkeleton } from './skeleton/skeleton.ts'
import type { SkeletonFolder } from './skeleton/skeleton-folder.ts'

/** What more than this is held of is not kept between two looks; the session looked at last always is. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024
/** Smaller groups are read as fast as somebody can look. */
const MIN_SKELETON_SOURCE_BYTES = 1024 * 1024
/** From here on what is not held makes a reading long. */
const LARGE_SOURCE_BYTES = 8 * 1024 * 1024
/** What nobody wrote to for so long is not held for reading on: should it grow, it is read whole once. */
const RESTED_MS = 10 * 60_000
/** The answers that the reading was for go first. */
const WRITE_DELAY_MS = 2_000

interface Kept {
  fingerprint: string
  shelved: ShelvedSessions
  /** null: not read from the files yet. */
  reading: GrowingSessionGroup | null
  /** About. */
  heldBytes: number
}

/** The sessions that were read last, ready for the next page. Grown logs are read on from where they ended. */
export class SessionShelf {
  readonly #kept = new Map<string, Kept>()
  /** The last reading of each source that is under way. */
  readonly #underWay = new Map<string, Promise<ShelvedSessions>>()
  readonly #skeletons: SkeletonFolder | null
  /** The skeleton that is written now, or was last. */
  #writing: Promise<void> = Promise.resolve()
  /** Sources whose skeleton turned out not to be true. */
  readonly #distrusted = new Set<string>()

  /** @param skeletons what earlier runs held of large groups; null: nothing is kept on disk */
  constructor(skeletons: SkeletonFolder | null = null) {
    this.#skeletons = skeletons
  }

  /** One reading of a source at a time: two at once would move on in the same growing log. */
  async read(source: IndexGroup): Promise<ShelvedSessions> {
    const before = this.#underWay.get(source.id) ?? Promise.resolve()
    const reading = before.catch(() => {}).then(() => this.#readNow(source))
    this.#underWay.set(source.id, reading)
    try {
      return await reading
    } finally {
      if (this.#underWay.get(source.id) === reading) this.#underWay.delete(source.id)
    }
  }

  /** It was read, as it is now, and nothing of it has to be read again. */
  holds({ id, fingerprint }: IndexGroup): boolean {
    return this.#kept.get(id)?.fingerprint === fingerprint
  }

  /** What it held was written to disk, and is of these files as they are now. */
  async hasSkeleton(source: IndexGroup): Promise<boolean> {
    await this.#writing
    return (await this.#skeletons?.holds(source)) ?? false
  }

  /** What was read is no longer true, whatever the source's fingerprint says. */
  drop({ id }: IndexGroup): void {
    this.#kept.delete(id)
    this.#distrusted.add(id)
  }

  /** Reads a group for its skeleton alone, unless there is one. */
  async prepare(source: IndexGroup): Promise<void> {
    if (await this.#skeletons?.holds(source)) return
    const shelved = await readGroup(source, openGroup({ isReadOnce: true }))
    if (isRefused(source, shelved)) return
    if (isWorthKeeping(source, shelved)) await this.#skeletons?.write(source, toSkeleton(shelved))
  }

  async #readNow(source: IndexGroup): Promise<ShelvedSessions> {
    const known = this.#kept.get(source.id)
    const current =
      known?.fingerprint === source.fingerprint
        ? known
        : await this.#readAgain(source, known?.reading ?? null)
    if (isRefused(source, current.shelved)) {
      // What was read before is more; it is read again with the next question.
      return known?.shelved ?? current.shelved
    }
    // Set anew: the map's order is that of use.
    this.#kept.delete(source.id)
    this.#kept.set(source.id, current)
    this.#dropOldest()
    return current.shelved
  }

  async #readAgain(source: IndexGroup, earlier: GrowingSessionGroup | null): Promise<Kept> {
    const { fingerprint, loose } = source
    if (loose !== undefined) return { fingerprint, shelved: readLoose(loose), reading: null, heldBytes: 0 }
    const skeleton = earlier === null ? await this.#readSkeleton(source) : null
    const isReadOnce = Date.now() - groupWrittenMs(source) > RESTED_MS
    const reading = earlier ?? openGroup({ isReadOnce })
    const shelved = skeleton ?? (await readGroup(source, reading))
    if (earlier === null && skeleton === null && !isRefused(source, shelved))
      this.#writeSkeletonLater(source, shelved)
    const heldBytes = groupBytes(source) - shelved.putAsideLength
    const isHeld = skeleton === null && !(isReadOnce && earlier === null)
    return { fingerprint, shelved, reading: isHeld ? reading : null, heldBytes }
  }

  async #readSkeleton(source: IndexGroup): Promise<ShelvedSessions | null> {
    if (this.#skeletons === null || groupBytes(source) < MIN_SKELETON_SOURCE_BYTES) return null
    if (this.#distrusted.delete(source.id)) await this.#skeletons.remove(source)
    const skeleton = await this.#skeletons.read(source)
    return skeleton && openSkeleton(skeleton)
  }

  #writeSkeletonLater(source: IndexGroup, shelved: ShelvedSessions): void {
    if (this.#skeletons === null || !isWorthKeeping(source, shelved)) return
    setTimeout(() => {
      // What was dropped or read on meanwhile is not what the files say.
      if (this.#kept.get(source.id)?.shelved !== shelved) return
      this.#writing = this.#skeletons?.write(source, toSkeleton(shelved)) ?? this.#writing
      if (groupBytes(source) >= LARGE_SOURCE_BYTES) void this.#writing.then(giveBackMemory)
    }, WRITE_DELAY_MS).unref()
  }

  #dropOldest(): void {
    let keptBytes = [...this.#kept.values()].reduce((sum, { heldBytes }) => sum + heldBytes, 0)
    for (const [id, { heldBytes }] of this.#kept) {
      if (keptBytes <= MAX_KEPT_BYTES || this.#kept.size === 1) return
      this.#kept.delete(id)
      keptBytes -= heldBytes
    }
  }
}

/** The system does not let us read one of the files just now, or it is not there. */
function isRefused({ files, loose }: IndexGroup, shelved: ShelvedSessions): boolean {
  return shelved === NOTHING || unreadFiles(shelved.sessions, loose === undefined ? files : []).length > 0
}

function openGroup(options: { isReadOnce?: boolean } = {}): GrowingSessionGroup {
  return new GrowingSessionGroup({ putsTextsAside: true, ...options })
}

async function readGroup(
  { files, claims }: IndexGroup,
  reading: GrowingSessionGroup,
): Promise<ShelvedSessions> {
  const sessions = await reading.read(files, claims)
  return new ShelvedSessions(sessions, reading.putAside)
}

/**
 * Reading a skeleton takes half the time for what is held, and none for what is not. Where there is little of either, it
 * is not worth its place on disk.
 */
function isWorthKeeping(source: IndexGroup, { sessions, putAsideLength }: ShelvedSessions): boolean {
  const sizeBytes = groupBytes(source)
  if (sizeBytes < MIN_SKELETON_SOURCE_BYTES) return false
  const messages = sessions.reduce((sum, session) => sum + session.messages.length, 0)
  return messages >= MANY_MESSAGES || (sizeBytes >= LARGE_SOURCE_BYTES && putAsideLength >= sizeBytes / 2)
}

/** Of files that are no session files, when one of them could not be read. */
const NOTHING = new ShelvedSessions([], [])

function readLoose(loose: LooseFiles): ShelvedSessions {
  try {
    return new ShelvedSessions(readLooseSessions(loose), [])
  } catch (error) {
    if (error instanceof ReadFault) return NOTHING
    throw error
  }
}
