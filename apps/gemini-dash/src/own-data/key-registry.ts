import { createHash } from 'node:crypto'
import type { SessionRecord } from '@gemini-dash/session-index'
import { type FileKeys, type KeyRecord, placeKey } from 'gemini-sessions'
import { z } from 'zod'
import { type LineLog, LogFile } from './line-log.ts'
import type { TellProblem } from './own-file.ts'

/** The keys of one file. Home and place (its path below the home) are hashes: the record contains no paths of the user. */
const entrySchema = z.object({
  home: z.string(),
  place: z.string(),
  start: z.string(),
  /** Omitted if equal to `start`. */
  file: z.string().optional(),
  /** Omitted if equal to `file`. */
  session: z.string().optional(),
  /** `conversationOrigin` */
  origin: z.string().nullable(),
  /** The file was deleted or moved. */
  isGone: z.literal(true).optional(),
})
type KeyEntry = z.infer<typeof entrySchema>

/** Storage for the keys of session files: a file of the data folder, or memory. */
export type KeyLog = LineLog<KeyEntry>

interface KnownFile extends FileKeys {
  entry: KeyEntry
}

/**
 * Which conversation each key refers to, permanently: recorded when a file is first read, so that a copy that appears later gets another
 * key, whatever its name (contract rule 9).
 */
export class KeyRegistry implements KeyRecord {
  readonly #log: KeyLog
  /** By hash of the path, then of the home. */
  readonly #files = new Map<string, Map<string, KnownFile>>()
  /** The files that have a key, or belong to the session that has it. */
  readonly #byKey = new Map<string, Set<KnownFile>>()
  readonly #origins = new Map<string, string | null>()
  #present: ReadonlySet<string> = new Set()
  #unwritten: KeyEntry[] = []
  #isPlanOutdated = false

  constructor(log: KeyLog = createMemoryKeyLog()) {
    this.#log = log
  }

  /** What was read since keys were planned contradicts the plan. */
  get isPlanOutdated(): boolean {
    return this.#isPlanOutdated
  }

  /** Must be called before keys are planned: these files are in these homes now. Other processes may have recorded more. */
  expect(files: readonly { home: string; path: string }[], homes: readonly string[]): void {
    this.#present = new Set(files.map(({ home, path }) => `${hashOf(home)} ${hashOf(path)}`))
    this.#isPlanOutdated = false
    const { entries, isAnew } = this.#log.readOn()
    if (isAnew) for (const known of [this.#files, this.#byKey, this.#origins]) known.clear()
    // unwritten entries are in no file
    for (const entry of isAnew ? [...entries, ...this.#unwritten] : entries) this.#take(entry)
    this.#noteGone(new Set(homes.map(hashOf)))
  }

  /** A copied or moved home has the keys of the original. */
  keysOf({ home, path }: { home: string; path: string }): FileKeys | null {
    const place = hashOf(path)
    const known = this.#files.get(place)
    const own = known?.get(hashOf(home))
    if (own !== undefined) return own
    for (const [otherHome, keys] of known ?? []) if (!this.#present.has(`${otherHome} ${place}`)) return keys
    return null
  }

  originOf(key: string): string | null | undefined {
    return this.#origins.get(key)
  }

  /**
   * Records the keys read for one group. The plan is outdated if one of them belongs to another conversation, which is only possible for a
   * file whose first and last bytes do not reveal its id.
   */
  note(records: readonly SessionRecord[]): void {
    for (const record of records) {
      const { summary, fileKeys, origin } = record
      const own = new Set(summary.files.map(({ home, path }) => `${hashOf(home)} ${hashOf(path)}`))
      for (const [index, keys] of fileKeys.entries()) {
        const file = summary.files[index]
        if (file === undefined || this.#hasBetter(file, keys, origin)) continue
        const isOthers = this.#isHeldElsewhere(keys, own)
        this.#isPlanOutdated ||= isOthers
        const ofPlace = placeKey(keys.start, file.path)
        const given = isOthers ? { start: keys.start, file: ofPlace, session: ofPlace } : keys
        this.#record(file, given, origin)
      }
    }
  }

  /** Some recorded entries are not written yet. */
  get hasNews(): boolean {
    return this.#unwritten.length > 0
  }

  /** @throws if the data folder cannot be written; the next call tries again */
  flush(): void {
    if (!this.hasNews) return
    this.#log.append(this.#unwritten)
    this.#unwritten = []
  }

  /** @throws on failure */
  forget(keys: ReadonlySet<string>): void {
    this.#log.drop(keys)
    for (const key of keys) {
      for (const file of this.#byKey.get(key) ?? []) this.#remove(file)
      this.#origins.delete(key)
    }
    this.#unwritten = this.#unwritten.filter((entry) => !namesOf(entry).some((key) => keys.has(key)))
  }

  /** The start found in a damaged file is less reliable than what was recorded before. */
  #hasBetter(
    file: { home: string; path: string; role: string },
    keys: FileKeys,
    origin: string | null,
  ): boolean {
    const known = this.#files.get(hashOf(file.path))?.get(hashOf(file.home))
    if (known === undefined) return false
    const isSame = known.start === keys.start && known.file === keys.file && known.session === keys.session
    return file.role === 'damaged' || (isSame && (known.entry.origin !== null || origin === null))
  }

  #record(file: { home: string; path: string }, keys: FileKeys, origin: string | null): void {
    const entry: KeyEntry = {
      home: hashOf(file.home),
      place: hashOf(file.path),
      start: keys.start,
      ...(keys.file !== keys.start && { file: keys.file }),
      ...(keys.session !== keys.file && { session: keys.session }),
      origin,
    }
    this.#take(entry)
    this.#unwritten.push(entry)
  }

  /** An existing file outside of the session has one of these keys. */
  #isHeldElsewhere({ file, session }: FileKeys, own: ReadonlySet<string>): boolean {
    return [file, session].some((key) =>
      [...(this.#byKey.get(key) ?? [])].some(({ entry }) => {
        const place = `${entry.home} ${entry.place}`
        return !own.has(place) && this.#present.has(place)
      }),
    )
  }

  /**
   * A file that comes back at the same path is the same conversation only if its messages show it. Nothing is known about a missing home.
   */
  #noteGone(homes: ReadonlySet<string>): void {
    const gone = [...this.#files.values()]
      .flatMap((known) => [...known.values()])
      .filter(({ entry: { home, place } }) => homes.has(home) && !this.#present.has(`${home} ${place}`))
    for (const { entry } of gone) {
      const left = { ...entry, isGone: true } as const
      this.#take(left)
      this.#unwritten.push(left)
    }
  }

  #take(entry: KeyEntry): void {
    const { home, place, start, file = start, session = file, origin } = entry
    const homes = this.#files.get(place) ?? new Map<string, KnownFile>()
    const before = homes.get(home)
    if (before !== undefined) this.#remove(before)
    for (const key of [file, session]) if (this.#origins.get(key) == null) this.#origins.set(key, origin)
    if (entry.isGone) return
    const known = { start, file, session, entry }
    this.#files.set(place, homes.set(home, known))
    for (const key of [file, session]) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(known))
  }

  #remove(known: KnownFile): void {
    const { entry, file, session } = known
    this.#files.get(entry.place)?.delete(entry.home)
    for (const key of [file, session]) this.#byKey.get(key)?.delete(known)
  }
}

function namesOf({ start, file = start, session = file }: KeyEntry): string[] {
  return [file, session]
}

const hashes = new Map<string, string>()

/** Sessions of a home share few homes and have many paths, and every scan hashes each of them. */
function hashOf(text: string): string {
  let hash = hashes.get(text)
  if (hash === undefined) {
    hash = createHash('sha256').update(text).digest('base64url').slice(0, 12)
    hashes.set(text, hash)
  }
  return hash
}

/** For `--no-cache` and the demo: nothing outlives the process. */
function createMemoryKeyLog(): KeyLog {
  return { readOn: () => ({ entries: [], isAnew: false }), append: () => {}, drop: () => {} }
}

/**
 * `keys.jsonl` of the data folder: one line per file. If lines are lost together with their copy, all that is lost is the order in which
 * copies of a session were found.
 */
export function openKeyFile(folder: string, tell: TellProblem, { isReadOnly = false } = {}): KeyLog {
  return new LogFile({
    folder,
    name: 'keys',
    entry: entrySchema,
    keysOf: namesOf,
    sum: sumOf,
    what: 'Which session each link means',
    tell,
    isReadOnly,
  })
}

/** Must not change: earlier versions read what this one writes. */
function sumOf({ home, place, start, file, session, origin, isGone }: KeyEntry): string {
  const text = JSON.stringify([home, place, start, file, session, origin, isGone])
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}
