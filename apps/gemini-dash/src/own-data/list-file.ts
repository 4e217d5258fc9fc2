import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@gemini-dash/session-index'
import { z } from 'zod'
import { alone } from './alone.ts'
import type { KeptList } from './kept-list.ts'

/** There is none, or its folder is a file. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])

export interface ListFileOptions<Item> {
  /** The data folder; made when there is something to keep. */
  folder: string
  /** Also the name of the list in the file: `projects` in `projects.json`. */
  name: string
  item: z.ZodType<Item>
  /** For messages: `The names that you gave to projects`. */
  what: string
  tell: (message: string) => void
}

const FORMAT_VERSION = 1
/** Thousands of entries with long paths; more is no file of ours. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

const fileSchema = z.looseObject({ version: z.literal(FORMAT_VERSION) })
const laterFileSchema = z.looseObject({ version: z.int().min(FORMAT_VERSION + 1) })

/**
 * A list in a file of the data folder, for this user only. A damaged file is put aside and told of, never overwritten; one
 * of a later version is left alone.
 */
export function openListFile<Item>(options: ListFileOptions<Item>): KeptList<Item> {
  const { folder, name, item, what, tell } = options
  const file = join(folder, `${name}.json`)
  let lastRead: { identity: string; items: Item[] } = { identity: '', items: [] }
  let isOfLaterVersion = false

  function read(): Item[] {
    return fileIdentity(file) === lastRead.identity ? lastRead.items : load(readAlone)
  }

  /** Equal bytes of another moment may look the same. */
  function load(whereDamaged: () => Item[]): Item[] {
    const identity = fileIdentity(file)
    const items = identity === '' ? [] : parse(readText(file))
    isOfLaterVersion = items === 'later'
    if (items === 'damaged') return whereDamaged()
    lastRead = { identity, items: items === 'later' ? [] : items }
    if (items === 'later') tell(`${file} was written by a later version of gemini-dash and is not used.`)
    return lastRead.items
  }

  /** Somebody may have put it aside already, and written another one. */
  function readAlone(): Item[] {
    try {
      return alone(folder, loadAlone)
    } catch (error) {
      return tellDamaged(error)
    }
  }

  function loadAlone(): Item[] {
    return load(() => {
      const aside = `${file}.damaged-${Date.now()}`
      try {
        renameSync(file, aside)
      } catch (error) {
        return tellDamaged(error)
      }
      tell(`${what} could not be read. The file is kept as ${aside}.`)
      lastRead = { identity: '', items: [] }
      return lastRead.items
    })
  }

  function tellDamaged(error: unknown): Item[] {
    tell(`${what} could not be read (${error instanceof Error ? error.message : String(error)}).`)
    lastRead = { identity: fileIdentity(file), items: [] }
    return lastRead.items
  }

  function parse(text: string | null): Item[] | 'damaged' | 'later' {
    const content = text === null ? undefined : parseJson(text)
    const { data } = z.array(item).safeParse(fileSchema.safeParse(content).data?.[name])
    if (data !== undefined) return data
    return laterFileSchema.safeParse(content).success ? 'later' : 'damaged'
  }

  return {
    read,
    update: (change) =>
      alone(folder, () => {
        const before = loadAlone()
        if (isOfLaterVersion) throw new Error(`${file} was written by a later version of gemini-dash`)
        const items = change(before)
        if (items === before) return before
        writeWhole(file, `${JSON.stringify({ version: FORMAT_VERSION, [name]: items }, null, 2)}\n`)
        lastRead = { identity: fileIdentity(file), items }
        return items
      }),
  }
}

function readText(file: string): string | null {
  try {
    return statSync(file).size > MAX_FILE_BYTES ? null : readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Another process sees the old file or the new one, never a part. Of those that write, one at a time does. */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.new`
  try {
    // of one that was killed
    rmSync(part, { force: true })
    const descriptor = openSync(part, 'wx', 0o600)
    try {
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    replaceFile(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Changes with every writing of the file; empty if there is none. */
export function fileIdentity(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && MISSING.has(error.code)
    if (isMissing) return ''
    throw error
  }
}
