import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type IndexGroup, isUnchanged, stampOf } from '@gemini-dash/session-index'
import { SkeletonFiles } from './skeleton-files.ts'

/** What is still written to may not be what was read: some file systems tell times in steps of two seconds. */
export const MIN_AGE_MS = 3_000

/** Told after each attempt to keep something why the disk did not take it; null: it did. */
export type TellProblem = (problem: string | null) => void

/**
 * A folder of what was made of opened sessions. A cache: whatever is wrong with a file, the session files are read. Files
 * appear and go as a whole, so several processes may use one folder.
 */
export class OpenedFolder {
  readonly #directory: string
  readonly #files: SkeletonFiles
  readonly #tellProblem: TellProblem

  constructor(directory: string, tellProblem: TellProblem) {
    this.#directory = directory
    this.#files = new SkeletonFiles(directory)
    this.#tellProblem = tellProblem
  }

  /** null: there is none. Throws nothing. */
  async read(name: string): Promise<Buffer | null> {
    const path = join(this.#directory, name)
    try {
      if (!(await this.#isOurs())) return null
      const bytes = await readFile(path)
      const now = new Date()
      await utimes(path, now, now)
      return bytes
    } catch {
      return null
    }
  }

  /** There is one that begins so; whether it is whole, reading it tells. */
  async beginsWith(name: string, expected: Buffer): Promise<boolean> {
    try {
      const file = await open(join(this.#directory, name))
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(expected.length))
        return bytesRead === expected.length && buffer.equals(expected)
      } finally {
        await file.close()
      }
    } catch {
      return false
    }
  }

  /** Only if the files of `source` are, and have been for some time, what they were when somebody looked at them. */
  async write(name: string, source: IndexGroup, pieces: Iterable<Uint8Array>): Promise<void> {
    const unfinished = join(this.#directory, `${randomUUID()}.unfinished`)
    try {
      if (!(await areUnchanged(source))) return
      // Not the folder above: where that was taken away, nothing is kept any more.
      await mkdir(this.#directory, { mode: 0o700 }).catch(() => {})
      if (!(await this.#isOurs())) throw new Error(`${this.#directory} is not of this user alone`)
      const file = await open(unfinished, 'wx', 0o600)
      try {
        for (const piece of pieces) await file.write(piece)
      } finally {
        await file.close()
      }
      if (await areUnchanged(source)) await rename(unfinished, join(this.#directory, name))
      await this.#files.dropOldest()
      this.#tellProblem(null)
    } catch (error) {
      // A full disk, a folder taken away: the session files are read as before.
      this.#tellProblem(error instanceof Error ? error.message : String(error))
    }
    await rm(unfinished, { force: true }).catch(() => {})
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#directory, name), { force: true }).catch(() => {})
  }

  /** A folder of this user alone, and no link that somebody else put there. */
  async #isOurs(): Promise<boolean> {
    const stats = await lstat(this.#directory)
    const user = process.getuid?.()
    return stats.isDirectory() && (user === undefined || (stats.uid === user && (stats.mode & 0o077) === 0))
  }
}

async function areUnchanged({ files }: IndexGroup): Promise<boolean> {
  for (const file of files) {
    const stats = await stat(file.absolutePath, { bigint: true }).catch(() => null)
    if (stats === null) return false
    const { size, mtimeNs, ctimeNs, ino } = stats
    const now = {
      ...file,
      sizeBytes: Number(size),
      mtimeNs: String(mtimeNs),
      ctimeNs: String(ctimeNs),
      inode: String(ino),
    }
    if (!isUnchanged(stampOf(file), now) || Math.abs(Date.now() - file.mtimeMs) < MIN_AGE_MS) return false
  }
  return true
}
