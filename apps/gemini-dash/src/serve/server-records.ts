import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ProcessIdentity,
  processIdentitySchema,
  replaceFile,
  type Whereabouts,
  whereaboutsOf,
} from '@gemini-dash/session-index'
import type { GeminiHome } from 'gemini-sessions/node'
import { z } from 'zod'
import { openDataFolder } from '../own-data/data-folder.ts'

/** `start`: a process is about to serve. `json`: it is serving. */
type Kind = 'start' | 'json'

/** Records that cannot be checked here are kept for a while: another machine may use the folder, too. */
const FOREIGN_LIFETIME_MS = 7 * 24 * 60 * 60_000

/**
 * Records that processes of this user leave for each other in the data folder: one file each, named by the homes it shows and by the
 * process, so that no process ever writes or removes the file of another live one.
 */
export class ServerRecords {
  readonly #dataFolder: string
  readonly #folder: string
  readonly #prefix: string

  constructor(dataFolder: string, homes: readonly GeminiHome[]) {
    this.#dataFolder = dataFolder
    this.#folder = join(dataFolder, 'servers')
    this.#prefix = `${shortHash(homes.map(({ tmpPath }) => tmpPath).toSorted())}-`
  }

  /** Writes it atomically. @throws if the folder cannot be written */
  write<Content extends { owner: ProcessIdentity }>(kind: Kind, content: Content): string {
    openDataFolder(this.#dataFolder)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const { pid, place, began } = content.owner
    const file = join(this.#folder, `${this.#prefix}${pid}-${shortHash([place, began])}.${kind}`)
    const unfinished = `${file}.${randomUUID()}.part`
    try {
      writeFileSync(unfinished, JSON.stringify(content), { mode: 0o600, flag: 'wx' })
      replaceFile(unfinished, file)
    } catch (error) {
      rmSync(unfinished, { force: true })
      throw error
    }
    return file
  }

  /** Records of processes that run here. Removes those of processes that have ended. */
  read<Schema extends z.ZodType<{ owner: ProcessIdentity }>>(kind: Kind, schema: Schema): z.infer<Schema>[] {
    const records: z.infer<Schema>[] = []
    for (const name of namesIn(this.#folder)) {
      if (!name.startsWith(this.#prefix)) continue
      const file = join(this.#folder, name)
      const content = contentOf(file)
      const whereabouts = whereaboutsOfOwner(content)
      const record = name.endsWith(`.${kind}`) ? schema.safeParse(content) : null
      if (whereabouts === 'running' && record?.success) records.push(record.data)
      else if (whereabouts === 'ended' || isOld(file)) rmSync(file, { force: true })
    }
    return records
  }
}

function shortHash(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

function whereaboutsOfOwner(content: unknown): Whereabouts {
  const owned = z.object({ owner: processIdentitySchema }).safeParse(content)
  return owned.success ? whereaboutsOf(owned.data.owner) : 'elsewhere'
}

function isOld(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > FOREIGN_LIFETIME_MS
}
