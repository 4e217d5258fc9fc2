import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claimFolder } from '@gemini-dash/session-index'
import { z } from 'zod'
import { openDataFolder } from '../own-data/data-folder.ts'

/** All that a session is taken out of, and by what it is known there. */
const forgottenSchema = z.object({
  keys: z.array(z.string()),
  sessionIds: z.array(z.string()),
  files: z.array(z.object({ home: z.string(), path: z.string() })),
  /** Where the indexes are; null: they are in memory. */
  cacheFolder: z.string().nullable(),
})
export type Forgotten = z.infer<typeof forgottenSchema>

/**
 * What is being forgotten just now, in `forgetting` of the data folder: whoever finds it when its process has ended goes on
 * with it. Nothing of it is left at the end.
 */
export class ForgetJournal {
  readonly #folder: string
  readonly #path: string

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'forgetting')
    this.#path = join(this.#folder, 'journal.json')
  }

  /** Whether something was begun and did not end, or goes on. */
  exists(): boolean {
    return existsSync(this.#folder)
  }

  /** Answers what gives it free again; null: another process is at it. @throws where the folder cannot be used */
  claim(): (() => void) | null {
    openDataFolder(dirname(this.#folder))
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const claimed = claimFolder(this.#folder, () => {})
    if (claimed.kind === 'unusable') throw new Error(claimed.reason)
    return claimed.kind === 'owned' ? claimed.release : null
  }

  /** null: nothing was begun. @throws where that cannot be read */
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

  /** It is nowhere any more. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
