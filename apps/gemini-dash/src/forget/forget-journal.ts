import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claimFolder } from '@gemini-dash/session-index'
import { z } from 'zod'
import { openDataFolder } from '../own-data/data-folder.ts'

/** What is erased, and the names by which it is known in each place. */
const forgottenSchema = z.object({
  keys: z.array(z.string()),
  sessionIds: z.array(z.string()),
  files: z.array(z.object({ home: z.string(), path: z.string() })),
  /** Folder of the indexes; null: they are in memory. */
  cacheFolder: z.string().nullable(),
})
export type Forgotten = z.infer<typeof forgottenSchema>

/**
 * The erasure in progress, in `forgetting` of the data folder: if its process ends early, the next one that finds it completes it. Removed
 * at the end.
 */
export class ForgetJournal {
  readonly #folder: string
  readonly #path: string

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'forgetting')
    this.#path = join(this.#folder, 'journal.json')
  }

  /** Whether an erasure is in progress or was left unfinished. */
  exists(): boolean {
    return existsSync(this.#folder)
  }

  /** Returns a function that releases the claim; null: another process is working on it. @throws if the folder cannot be used */
  claim(): (() => void) | null {
    openDataFolder(dirname(this.#folder))
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const claimed = claimFolder(this.#folder, () => {})
    if (claimed.kind === 'unusable') throw new Error(claimed.reason)
    return claimed.kind === 'owned' ? claimed.release : null
  }

  /** null: nothing was begun. @throws if it cannot be read */
  read(): Forgotten | null {
    if (!existsSync(this.#path)) return null
    try {
      return forgottenSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch {
      throw new Error(`${this.#path} cannot be read`)
    }
  }

  write(forgotten: Forgotten): void {
    writeFileSync(`${this.#path}.new`, JSON.stringify(forgotten), { mode: 0o600, flush: true })
    renameSync(`${this.#path}.new`, this.#path)
  }

  /** Call once the erasure is complete. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
