import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { claimFolder } from '@gemini-dash/session-index'
import { HomeJournal, type JournalEntry, type Removal, syncFolder } from './home-journal.ts'

export interface NewHomeFile {
  /** Path below the home: `tmp`, the project's folder, and so on. */
  parts: readonly string[]
  bytes: Uint8Array
}

export interface HomeWrite {
  what: JournalEntry['what']
  /** The session this belongs to. */
  sessionKey: string
  home: string
  /** Written in this order; the session's own log comes last, so that it never exists without the rest. */
  files: readonly NewHomeFile[]
}

/** Checks the written files and returns what is wrong; null: nothing. On failure they are removed again. */
type Proof = (entry: JournalEntry) => Promise<string | null>

interface Written {
  entry: JournalEntry
  /** What failed the check and was removed again; null: nothing. */
  problem: string | null
}

/** Performs one write of a batch. */
export type WriteOne = (wanted: HomeWrite, proveIt: Proof) => Promise<Written>

/** Size of the lines about one write, and about each of its files, excluding the file's name. */
const ROOM_BYTES = 1024
/** Number of times a file's name occurs in these lines. */
const NAMED_TIMES = 4

/** Either nothing was written, or the message names what was: not an error of the program. */
class NotWritten extends Error {
  override name = 'NotWritten'
}

/**
 * The only class that writes to a home. It only creates files: first the journal's line, then a temporary file in the same folder, then a
 * link that fails if the name is taken. The next start removes what a killed process left; it removes only what the journal names, and only
 * if unchanged.
 */
export class HomeWriter {
  readonly journal: HomeJournal

  constructor(dataFolder: string) {
    this.journal = new HomeJournal(dataFolder)
  }

  /**
   * Writes everything or nothing.
   *
   * @throws UnsafePlace, NotWritten, or another error if it could not be written
   */
  async write(wanted: HomeWrite, proveIt: Proof): Promise<Written> {
    const paths = wanted.files.map(({ parts }) => parts.join('/'))
    return this.#withRoom([paths], () => this.#writeOne(wanted, {}, proveIt))
  }

  /**
   * Several writes requested as one: all of them or none, even if the process is killed. `paths`: of the files of each write. `work`
   * performs the writes one after the other, and returns the problem of the last. The result also has the id that undoes them.
   *
   * @throws like `write`, and what `work` throws
   */
  async writeAll(
    paths: readonly (readonly string[])[],
    work: (writeOne: WriteOne) => Promise<string | null>,
  ): Promise<{ id: string; problem: string | null }> {
    return this.#withRoom(paths, async (isOurs) => {
      const id = newId()
      try {
        const problem = await work((wanted, proveIt) => {
          if (!isOurs()) throw new NotWritten('This gemini-dash was suspended, and another one took over.')
          return this.#writeOne(wanted, { batch: id, of: paths.length }, proveIt)
        })
        if (problem !== null) this.#takeBack(id, 'failed')
        return { id, problem }
      } catch (error) {
        throw this.#afterFailure(id, error)
      }
    })
  }

  /**
   * Removes what a write, or all writes of a batch, created; a write with any changed file is left as it is. null: nothing with this id
   * exists.
   */
  async undo(id: string): Promise<Removal | null> {
    return this.#alone(async () => this.#takeBack(id, 'undone'))
  }

  /** Must be called before planning, and at each start: removes interrupted writes. Returns their number. */
  removeLeft(): number {
    if (this.journal.brokenOff().length === 0 && !this.journal.hasRoom()) return 0
    const claimed = claimFolder(this.journal.folder, () => {})
    // The process that holds the claim is writing right now.
    if (claimed.kind !== 'owned') return 0
    try {
      this.journal.freeRoom()
      // If the disk is not mounted, this has to wait.
      const left = this.journal.brokenOff().filter(({ home }) => existsSync(home))
      for (const entry of left.toReversed()) this.#remove(entry, 'interrupted')
      return left.length
    } finally {
      claimed.release()
    }
  }

  /** Removes all records of what was written for these sessions; the files stay, and can no longer be undone. @throws on failure */
  async forget(sessionKeys: ReadonlySet<string>): Promise<void> {
    const isWritten = () => this.journal.entries().some(({ sessionKey }) => sessionKeys.has(sessionKey))
    if (isWritten()) await this.#alone(async () => this.journal.drop(sessionKeys))
  }

  async #alone<Answer>(work: (isOurs: () => boolean) => Promise<Answer>): Promise<Answer> {
    this.removeLeft()
    const claimed = claimFolder(this.journal.folder, () => {})
    if (claimed.kind === 'taken')
      throw new NotWritten(
        `Another gemini-dash (process ${claimed.pid}) is writing to a Gemini folder. Try again when it has finished.`,
      )
    if (claimed.kind === 'unusable')
      throw new NotWritten(`Nothing was written, because the change can’t be logged (${claimed.reason}).`)
    try {
      return await work(claimed.isOurs)
    } finally {
      claimed.release()
    }
  }

  /** Reserves room for all journal lines of these writes before the first one, so that every write can be undone. */
  async #withRoom<Answer>(
    paths: readonly (readonly string[])[],
    work: (isOurs: () => boolean) => Promise<Answer>,
  ): Promise<Answer> {
    const files = paths.flat()
    const names = files.reduce((sum, path) => sum + Buffer.byteLength(path), 0)
    return this.#alone(async (isOurs) => {
      try {
        this.journal.takeRoom((paths.length + files.length) * ROOM_BYTES + names * NAMED_TIMES)
      } catch (error) {
        const { folder } = this.journal
        throw new NotWritten(
          `Nothing was written, because the change can’t be logged in ${folder} (${reasonOf(error)}).`,
        )
      }
      try {
        return await work(isOurs)
      } finally {
        this.journal.freeRoom()
      }
    })
  }

  async #writeOne(
    wanted: HomeWrite,
    batch: Pick<JournalEntry, 'batch' | 'of'>,
    proveIt: Proof,
  ): Promise<Written> {
    const entry = this.#begin(wanted, batch)
    let problem: string | null
    try {
      for (const [number, file] of wanted.files.entries()) publish(entry, file, number)
      problem = await proveIt(entry)
    } catch (error) {
      const reason = isNoRoom(error)
        ? new NotWritten(`There is no room left on the disk of ${wanted.home}. Nothing was written.`)
        : error
      this.#removeFailed(entry, reason)
      throw reason
    }
    if (problem === null) this.journal.add({ record: 'done', id: entry.id, at: now() })
    else this.#remove(entry, 'did-not-hold')
    return { entry, problem }
  }

  #removeFailed(entry: JournalEntry, reason: unknown): void {
    try {
      this.#remove(entry, 'failed')
    } catch (error) {
      throw new NotWritten(
        `${reasonOf(reason)} The files already written could not be removed (${reasonOf(error)}). The next start tries again.`,
      )
    }
  }

  /** null: nothing with this id exists. */
  #takeBack(id: string, why: Removal['why']): Removal | null {
    const entries = this.journal.entries().filter((each) => each.id === id || each.batch === id)
    const there = entries.filter(({ done, removed }) => done !== null && removed?.left.length !== 0)
    const removals = there.toReversed().map((entry) => this.#remove(entry, why))
    const [first] = removals
    return first === undefined ? null : { ...first, left: removals.flatMap(({ left }) => left) }
  }

  /** Undoes the earlier writes of the batch; if that fails, they are named in the error. */
  #afterFailure(batch: string, error: unknown): unknown {
    let left = ''
    try {
      left = this.#takeBack(batch, 'failed')?.left.join(', ') ?? ''
    } catch (problem) {
      left = reasonOf(problem)
    }
    if (left === '') return error
    return new NotWritten(
      `${reasonOf(error)} Not all earlier writes could be undone (${left}). Try again: gemini-dash move --undo ${batch}`,
    )
  }

  #begin({ files, ...wanted }: HomeWrite, batch: Pick<JournalEntry, 'batch' | 'of'>): JournalEntry {
    const folders = new Map<string, string[]>()
    for (const { parts } of files) {
      for (const count of resolvePlace(wanted.home, parts).missing)
        folders.set(parts.slice(0, count).join('/'), parts.slice(0, count))
    }
    const begun = {
      ...wanted,
      ...batch,
      id: newId(),
      at: now(),
      files: files.map(({ parts, bytes }) => ({
        parts: [...parts],
        sizeBytes: bytes.length,
        sha256: hashOf(bytes),
      })),
      folders: [...folders.values()],
    }
    this.journal.add({ record: 'begun', ...begun })
    return { ...begun, done: null, removed: null, isBeingRemoved: false }
  }

  #remove(entry: JournalEntry, why: Removal['why']): Removal {
    try {
      // Tells other readers of the home that nobody else deleted these files.
      this.journal.add({ record: 'removing', id: entry.id, at: now() })
    } catch {
      // The disk is full: the removal makes room for the next line.
    }
    const removal = { at: now(), why, left: removeWritten(entry) }
    this.journal.add({ record: 'removed', id: entry.id, ...removal })
    return removal
  }
}

function newId(): string {
  return randomBytes(8).toString('hex')
}

function publish({ id, home }: JournalEntry, { parts, bytes }: NewHomeFile, number: number): void {
  const { missing } = resolvePlace(home, parts)
  const root = realHome(home)
  for (const count of missing) {
    const folder = join(root, ...parts.slice(0, count))
    mkdirSync(folder, { mode: 0o700 })
    syncFolder(join(folder, '..'))
  }
  // Again, now that all folders exist.
  const { path, folder } = resolvePlace(home, parts)
  const unfinished = join(folder, temporaryName(id, number))
  const descriptor = openSync(unfinished, 'wx', 0o600)
  try {
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  linkSync(unfinished, path)
  unlinkSync(unfinished)
  syncFolder(folder)
}

/** Neither the CLI nor this program takes it for a session; the id is unique. */
function temporaryName(id: string, number: number): string {
  return `.gemini-dash-${id}-${number}.part`
}

/** Returns what was changed since: if anything was, everything stays, as the changed file needs the others. */
function removeWritten(entry: JournalEntry): string[] {
  const root = realHome(entry.home)
  const folderOf = (parts: readonly string[]) => join(root, ...parts.slice(0, -1))
  // If the path now leads elsewhere, nothing there was written by this program.
  const ours = entry.files.filter(({ parts }) => isUnmoved(folderOf(parts)))
  for (const [number, file] of entry.files.entries())
    if (ours.includes(file)) removeFile(join(folderOf(file.parts), temporaryName(entry.id, number)))
  const changed = ours.filter((file) => isChanged(join(root, ...file.parts), file))
  if (changed.length > 0) return changed.map(({ parts }) => parts.join('/'))
  for (const { parts } of ours.toReversed()) removeFile(join(root, ...parts))
  for (const parts of entry.folders.toReversed())
    if (isUnmoved(join(root, ...parts))) removeEmptyFolder(join(root, ...parts))
  for (const folder of new Set(ours.map(({ parts }) => folderOf(parts))))
    if (isUnmoved(folder)) syncFolder(folder)
  return []
}

/** The folder exists and is not reached through a link. */
function isUnmoved(folder: string): boolean {
  return existsSync(folder) && realpathSync.native(folder) === folder
}

/** A missing file was removed by someone else, which is not a change. */
function isChanged(path: string, { sizeBytes, sha256 }: JournalEntry['files'][number]): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  return !found.isFile() || found.size !== sizeBytes || hashOf(readFileSync(path)) !== sha256
}

function removeFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) unlinkSync(path)
}

/** Someone may have added files. */
function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch {}
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function isNoRoom(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function now(): string {
  return new Date().toISOString()
}

/** Why nothing can be written there. */
type PlaceProblem = 'unsafe-name' | 'no-project-folder' | 'link' | 'file-exists' | 'outside'

/** A path below a home at which nothing may be written. */
export class UnsafePlace extends Error {
  override name = 'UnsafePlace'
  readonly code: PlaceProblem

  constructor(code: PlaceProblem, message: string) {
    super(message)
    this.code = code
  }
}

interface ResolvedPlace {
  /** Path of the file, and of its folder. */
  path: string
  folder: string
  /** Folders on the path that do not exist, outermost first, each as the number of its path parts. */
  missing: number[]
}

/** Names come from file contents: allow nothing that leads elsewhere, is invisible in a terminal, or has a meaning to a system. */
const PLAIN_PART = /^[A-Za-z0-9._-]*[A-Za-z0-9_-]$/
/** `tmp`, the project's folder, and a name in it. */
const FEWEST_PARTS = 3

/**
 * The path of a new file of a project. Each part is checked: it must be a folder, not a link, and inside the project's own folder, which
 * has to exist.
 *
 * @throws UnsafePlace
 */
export function resolvePlace(home: string, parts: readonly string[]): ResolvedPlace {
  const named = parts.join('/')
  const odd = parts.find((part) => !PLAIN_PART.test(part))
  if (odd !== undefined || parts.length < FEWEST_PARTS || parts[0] !== 'tmp')
    throw new UnsafePlace(
      'unsafe-name',
      `gemini-dash does not write to the name ${JSON.stringify(odd ?? named)}.`,
    )
  const root = realHome(home)
  const missing: number[] = []
  for (let count = 1; count < parts.length; count++) {
    const folder = parts.slice(0, count).join('/')
    const found = lstatSync(join(root, folder), { throwIfNoEntry: false })
    if (found?.isSymbolicLink())
      throw new UnsafePlace('link', `${folder} is a link, and gemini-dash does not write through links.`)
    if (found !== undefined && !found.isDirectory())
      throw new UnsafePlace('outside', `${folder} is not a folder.`)
    if (found === undefined && count < FEWEST_PARTS)
      throw new UnsafePlace('no-project-folder', `There is no folder ${folder} in this Gemini folder.`)
    if (found === undefined) missing.push(count)
  }
  const path = join(root, ...parts)
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new UnsafePlace('file-exists', `${named} already exists and was not changed.`)
  const folder = join(root, ...parts.slice(0, -1))
  // The deepest of the folders that exists.
  const there = join(root, ...parts.slice(0, (missing[0] ?? parts.length) - 1))
  if (realpathSync.native(there) !== there)
    throw new UnsafePlace('outside', `${named} is not where its path says.`)
  return { path, folder, missing }
}

/** The home itself may be a link set by its owner, for example to settings kept elsewhere. @throws UnsafePlace */
function realHome(home: string): string {
  try {
    return realpathSync.native(home)
  } catch {
    throw new UnsafePlace('no-project-folder', `There is no folder ${home}.`)
  }
}
