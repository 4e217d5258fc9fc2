import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '@gemini-dash/session-index'
import type { GeminiHome } from 'gemini-sessions/node'
import { z } from 'zod'
import { openDataFolder } from '../own-data/data-folder.ts'

/** `start`: a process is about to serve. `json`: it serves. */
type Kind = 'start' | 'json'

/** What nobody here can judge is kept for a while: another machine may use the folder, too. */
const FOREIGN_LIFETIME_MS = 7 * 24 * 60 * 60_000

/**
 * What processes of this user leave in the data folder for each other: one file each, named by the homes that it shows and by
 * itself, so that nobody ever writes or removes a file of another one that lives.
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

  /** Whole or not at all. @throws where the folder cannot be written */
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

  /** Of processes that run here. What an ended one left is removed. */
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

/** Tells a process from every other: from a later one of the same number, and from those of other machines. */
export const processIdentitySchema = z.object({
  pid: z.number().int().positive(),
  /** Where the number means this process: a machine since its last start, or a container on it. */
  place: z.string(),
  /** When it began, in the words of the system; empty where the system is not asked. */
  began: z.string(),
})
export type ProcessIdentity = z.infer<typeof processIdentitySchema>

type Whereabouts = 'running' | 'ended' | 'elsewhere'

/** What this process leaves behind so that others know it again. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, place: ownPlace(), began: beginOf(process.pid) ?? '' }
}

/** `elsewhere`: of another machine, container or start of this machine; nothing here tells whether it runs. */
export function whereaboutsOf({ pid, place, began }: ProcessIdentity): Whereabouts {
  if (place !== ownPlace()) return 'elsewhere'
  return beginOf(pid) === began ? 'running' : 'ended'
}

function ownPlace(): string {
  if (process.platform !== 'linux') return hostname()
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** null: there is no such process. */
function beginOf(pid: number): string | null {
  if (process.platform === 'linux') return beginByProc(pid)
  // Windows tells it only to programs that take half a second to start.
  return process.platform === 'win32' ? beginUnknown(pid) : beginByPs(pid)
}

/** In ticks since the machine was started. */
function beginByProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in parentheses and may hold anything.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isDead = state === 'Z' || state === 'X'
    return isDead ? null : (fields[FIELDS_FROM_STATE_TO_START] ?? null)
  } catch {
    return null
  }
}

const FIELDS_FROM_STATE_TO_START = 18

function beginByPs(pid: number): string | null {
  try {
    const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return text.trim() || null
  } catch {
    return null
  }
}

function beginUnknown(pid: number): string | null {
  try {
    process.kill(pid, 0)
    return ''
  } catch {
    return null
  }
}
