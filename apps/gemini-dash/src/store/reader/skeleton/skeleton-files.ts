import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { groupNameOf } from './skeleton.ts'

/** Of all together; those that were used longest ago go first. */
const MAX_TOTAL_BYTES = 500 * 1024 * 1024
/** So long a process may take to write one. */
const UNFINISHED_MS = 60_000

/** All names that this program and its earlier versions give there; whatever else lies there is nobody's of ours. */
export const OPENED_NAME =
  /^(?:[0-9a-f]{32}\.[\w.-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.unfinished)$/

interface File {
  path: string
  name: string
  sizeBytes: number
  mtimeMs: number
}

/** What lies in the folder of what was made of opened sessions, and how much of it may. */
export class SkeletonFiles {
  readonly #directory: string
  readonly #maxTotalBytes: number

  constructor(directory: string, maxTotalBytes = MAX_TOTAL_BYTES) {
    this.#directory = directory
    this.#maxTotalBytes = maxTotalBytes
  }

  /** Removes those of groups that are gone, and what a process left that was ended while it wrote. */
  async keepOnly(groupIds: Iterable<string>): Promise<void> {
    const files = await this.#files()
    if (files.length === 0) return
    const wanted = new Set([...groupIds].map(groupNameOf))
    for (const { path, name, mtimeMs } of files) {
      const isUnfinished = name.endsWith('.unfinished')
      if (isUnfinished ? Date.now() - mtimeMs > UNFINISHED_MS : !wanted.has(groupOf(name)))
        await rm(path, { force: true })
    }
  }

  async dropOldest(): Promise<void> {
    const files = (await this.#files()).sort((a, b) => a.mtimeMs - b.mtimeMs)
    let totalBytes = totalOf(files)
    for (const { path, sizeBytes } of files) {
      if (totalBytes <= this.#maxTotalBytes) return
      await rm(path, { force: true })
      totalBytes -= sizeBytes
    }
  }

  /** Without dropping another. */
  async hasRoomFor(sizeBytes: number): Promise<boolean> {
    return totalOf(await this.#files()) + sizeBytes <= this.#maxTotalBytes
  }

  async #files(): Promise<File[]> {
    const names = await readdir(this.#directory).catch(() => [])
    const files = await Promise.all(
      names
        .filter((name) => OPENED_NAME.test(name))
        .map(async (name) => {
          const path = join(this.#directory, name)
          const stats = await stat(path).catch(() => null)
          return stats === null ? [] : [{ path, name, sizeBytes: stats.size, mtimeMs: stats.mtimeMs }]
        }),
    )
    return files.flat()
  }
}

function groupOf(name: string): string {
  return name.slice(0, name.indexOf('.'))
}

function totalOf(files: readonly File[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
