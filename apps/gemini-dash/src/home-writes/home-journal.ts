import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { openTrustedFolder, replaceFile } from '@gemini-dash/session-index'
import { z } from 'zod'
import { openDataFolder } from '../own-data/data-folder.ts'

const writtenFileSchema = z.object({
  /** Path parts below the home; only the writer joins them, after checking each. */
  parts: z.array(z.string()),
  sizeBytes: z.number(),
  sha256: z.string(),
})

const begunSchema = z.object({
  record: z.literal('begun'),
  id: z.string(),
  at: z.string(),
  what: z.enum(['recover', 'move', 'fork']),
  /** Several writes requested as one share this id, and are undone as one. */
  batch: z.string().optional(),
  /** Number of writes in the batch; missing in earlier versions. */
  of: z.number().optional(),
  sessionKey: z.string(),
  home: z.string(),
  files: z.array(writtenFileSchema),
  /** Folders that did not exist before. */
  folders: z.array(z.array(z.string())),
})

const recordSchema = z.discriminatedUnion('record', [
  begunSchema,
  z.object({ record: z.literal('done'), id: z.string(), at: z.string() }),
  /** Written before the first of its files is removed. */
  z.object({ record: z.literal('removing'), id: z.string(), at: z.string() }),
  z.object({
    record: z.literal('removed'),
    id: z.string(),
    at: z.string(),
    why: z.enum(['undone', 'did-not-hold', 'failed', 'interrupted']),
    /** Paths below the home that were changed since, and are left alone. */
    left: z.array(z.string()),
  }),
])
export type JournalRecord = z.infer<typeof recordSchema>
export type Removal = Omit<Extract<JournalRecord, { record: 'removed' }>, 'record' | 'id'>

/** One write and its outcome. */
export interface JournalEntry extends Omit<z.infer<typeof begunSchema>, 'record'> {
  /** null: it was interrupted. */
  done: string | null
  removed: Removal | null
  /** A removal was begun, but its end is not recorded. */
  isBeingRemoved: boolean
}

/**
 * Everything ever written to a home, in the data folder: one line before each write, and one when it is completed or removed. A torn line
 * never led to a write: nothing is written before its line is on disk.
 */
export class HomeJournal {
  readonly #folder: string
  readonly #file: string
  /** A file as large as the lines to come: on a full disk it is removed to make room for them. */
  readonly #room: string

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'home-writes')
    this.#file = join(this.#folder, 'journal.jsonl')
    this.#room = join(this.#folder, 'room')
  }

  get folder(): string {
    return this.#folder
  }

  /** Oldest first. */
  entries(): JournalEntry[] {
    const entries = new Map<string, JournalEntry>()
    for (const record of this.#records()) {
      const entry = entries.get(record.id)
      if (record.record === 'begun') {
        const { record: _, ...begun } = record
        entries.set(record.id, { ...begun, done: null, removed: null, isBeingRemoved: false })
      } else if (entry !== undefined && record.record === 'done') entry.done = record.at
      else if (entry !== undefined && record.record === 'removing') entry.isBeingRemoved = true
      else if (entry !== undefined && record.record === 'removed') {
        const { record: _, id: __, ...removed } = record
        entry.removed = removed
        entry.isBeingRemoved = false
      }
    }
    return [...entries.values()]
  }

  /** Left by a killed process: neither completed nor removed, or part of a batch that was not completed. */
  brokenOff(): JournalEntry[] {
    const entries = this.entries()
    const written = new Map<string | undefined, number>()
    for (const { batch, done } of entries)
      if (done !== null) written.set(batch, (written.get(batch) ?? 0) + 1)
    return entries.filter(
      ({ batch, of = 0, done, removed }) =>
        removed === null && (done === null || (written.get(batch) ?? 0) < of),
    )
  }

  /** Reserves room for this many bytes of lines, until `freeRoom`. @throws if the disk does not have it */
  takeRoom(bytes: number): void {
    openDataFolder(dirname(this.#folder))
    openTrustedFolder(this.#folder)
    try {
      // Random bytes cannot be compressed.
      writeFileSync(this.#room, randomBytes(bytes), { mode: 0o600, flush: true })
    } catch (error) {
      this.freeRoom()
      throw error
    }
  }

  /** Whether room is reserved, even by a process that died. */
  hasRoom(): boolean {
    return existsSync(this.#room)
  }

  freeRoom(): void {
    rmSync(this.#room, { force: true })
  }

  /** Changes with each line; '' if it cannot be read. */
  identity(): string {
    try {
      const { ino, size, mtimeNs } = statSync(this.#file, { bigint: true })
      return `${ino} ${size} ${mtimeNs}`
    } catch {
      return ''
    }
  }

  /**
   * Paths below this home of files that this program wrote and then removed unchanged, with the time of the first write: their absence is
   * not a loss. Excludes those that were written again and stayed.
   */
  takenBack(home: string): Map<string, string> {
    const found = new Map<string, string>()
    for (const entry of this.#readable()) {
      if (entry.home !== home) continue
      const { at, files, removed, isBeingRemoved } = entry
      const isTakenBack = isBeingRemoved || removed?.left.length === 0
      for (const path of files.map(({ parts }) => parts.join('/')))
        if (!isTakenBack) found.delete(path)
        else if (!found.has(path)) found.set(path, at)
    }
    return found
  }

  /** On disk when it returns. @throws if it cannot be written */
  add(record: JournalRecord): void {
    try {
      this.#append(record)
    } catch (error) {
      if (!this.hasRoom()) throw error
      this.freeRoom()
      this.#append(record)
    }
  }

  /** Removes all records about these sessions; the caller holds the folder exclusively. @throws if it cannot be written */
  drop(sessionKeys: ReadonlySet<string>): void {
    const ids = new Set(this.entries().flatMap((each) => (sessionKeys.has(each.sessionKey) ? [each.id] : [])))
    // a torn line may be about one of them
    const all = this.#records()
    const gone = new Map<string | undefined, number>()
    for (const record of all)
      if (record.record === 'begun' && ids.has(record.id))
        gone.set(record.batch, (gone.get(record.batch) ?? 0) + 1)
    // a batch with fewer writes must still count as complete
    const left = all
      .filter(({ id }) => !ids.has(id))
      .map((record) =>
        record.record === 'begun' && record.of !== undefined
          ? { ...record, of: record.of - (gone.get(record.batch) ?? 0) }
          : record,
      )
    const text = left.map((record) => `${JSON.stringify(record)}\n`).join('')
    writeFileSync(`${this.#file}.new`, text, { mode: 0o600, flush: true })
    replaceFile(`${this.#file}.new`, this.#file)
    syncFolder(this.#folder)
  }

  #append(record: JournalRecord): void {
    openDataFolder(dirname(this.#folder))
    openTrustedFolder(this.#folder)
    const text = this.#text()
    const isTorn = text !== '' && !text.endsWith('\n')
    const descriptor = openSync(this.#file, 'a', 0o600)
    try {
      writeFileSync(descriptor, `${isTorn ? '\n' : ''}${JSON.stringify(record)}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    syncFolder(this.#folder)
  }

  /** If unreadable, more is shown, never less. */
  #readable(): JournalEntry[] {
    try {
      return this.entries()
    } catch {
      return []
    }
  }

  #records(): JournalRecord[] {
    return this.#text()
      .split('\n')
      .flatMap((line) => recordSchema.safeParse(parseJson(line)).data ?? [])
  }

  #text(): string {
    try {
      return readFileSync(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw error
    }
  }
}

/** Makes a new name in it durable. Windows has no equivalent. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
