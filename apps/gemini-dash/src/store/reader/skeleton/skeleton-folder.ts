import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { IndexGroup } from '@gemini-dash/session-index'
import { type Skeleton, skeletonName, skeletonStamp } from './skeleton.ts'
import { SkeletonFiles } from './skeleton-files.ts'
import { readSkeletonText, toSkeletonLine, writeSkeletonText } from './skeleton-text.ts'

/** What is still written to may not be what was read: some file systems tell times in steps of two seconds. */
export const MIN_AGE_MS = 3_000

/**
 * Skeletons of large sessions on disk, one file a group. A cache: whatever is wrong with one, the session files are
 * read. Files appear and go as a whole, so several processes may use one folder.
 */
export class SkeletonFolder {
  readonly #directory: string
  readonly #version: string
  readonly #files: SkeletonFiles

  /** @param version of the program: what another one wrote is read anew */
  constructor(directory: string, version: string, files = new SkeletonFiles(directory)) {
    this.#directory = directory
    this.#version = version
    this.#files = files
  }

  /** null: there is none of these files as they are now. */
  async read(source: IndexGroup): Promise<Skeleton | null> {
    const path = this.#pathOf(source.id)
    try {
      if (!(await this.#isOurs())) return null
      const skeleton = readSkeletonText(await readFile(path), skeletonStamp(source, this.#version))
      if (skeleton === null) return null
      const now = new Date()
      await utimes(path, now, now)
      return skeleton
    } catch {
      return null
    }
  }

  /** There is one of these files as they are now; whether it is whole, reading it tells. */
  async holds(source: IndexGroup): Promise<boolean> {
    const expected = toSkeletonLine(skeletonStamp(source, this.#version))
    try {
      const file = await open(this.#pathOf(source.id))
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

  /** Only if the files are, and have been for some time, what they were when somebody looked at them for `source`. */
  async write(source: IndexGroup, skeleton: Skeleton): Promise<void> {
    const unfinished = join(this.#directory, `${randomUUID()}.unfinished`)
    try {
      if (!(await areUnchanged(source))) return
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      if (!(await this.#isOurs())) return
      const file = await open(unfinished, 'wx', 0o600)
      try {
        for (const piece of writeSkeletonText(skeleton, skeletonStamp(source, this.#version))) {
          await file.write(piece)
        }
      } finally {
        await file.close()
      }
      if (await areUnchanged(source)) await rename(unfinished, this.#pathOf(source.id))
      await this.#files.dropOldest()
    } catch {
      // A full disk, a folder taken away: the session files are read as before.
    }
    await rm(unfinished, { force: true }).catch(() => {})
  }

  async remove({ id }: Pick<IndexGroup, 'id'>): Promise<void> {
    await rm(this.#pathOf(id), { force: true }).catch(() => {})
  }

  /** A folder of this user alone, and no link that somebody else put there. */
  async #isOurs(): Promise<boolean> {
    const stats = await lstat(this.#directory)
    const user = process.getuid?.()
    return stats.isDirectory() && (user === undefined || (stats.uid === user && (stats.mode & 0o077) === 0))
  }

  #pathOf(groupId: string): string {
    return join(this.#directory, skeletonName(groupId))
  }
}

async function areUnchanged({ files }: IndexGroup): Promise<boolean> {
  for (const { absolutePath, sizeBytes, mtimeNs, mtimeMs, inode } of files) {
    const now = await stat(absolutePath, { bigint: true })
    const isSame =
      Number(now.size) === sizeBytes && String(now.mtimeNs) === mtimeNs && String(now.ino) === inode
    if (!isSame || Math.abs(Date.now() - mtimeMs) < MIN_AGE_MS) return false
  }
  return true
}
