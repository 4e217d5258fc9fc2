import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { fileIdentity } from './file-identity.ts'
import { type ProjectWords, projectWordsSchema } from './project-words.ts'
import type { WordStorage } from './word-book.ts'

const FILE_NAME = 'projects.json'
const FORMAT_VERSION = 1
/** Thousands of projects with long paths; more is no file of ours. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

const wordFileSchema = z.looseObject({
  version: z.literal(FORMAT_VERSION),
  projects: z.array(projectWordsSchema),
})
const laterFileSchema = z.looseObject({ version: z.int().min(FORMAT_VERSION + 1) })

/**
 * Words in a file of the data folder, for this user only. A damaged file is put aside and told of, never overwritten; one
 * of a later version is left alone.
 */
export function createFileStorage(folder: string, tell: (message: string) => void): WordStorage {
  const file = join(folder, FILE_NAME)
  let lastRead: { identity: string; words: ProjectWords[] } = { identity: '', words: [] }
  let isOfLaterVersion = false

  function read(): ProjectWords[] {
    const identity = fileIdentity(file)
    if (identity === lastRead.identity) return lastRead.words
    lastRead = { identity, words: identity === '' ? [] : parse(readText(file)) }
    return lastRead.words
  }

  function parse(text: string | null): ProjectWords[] {
    const content = text === null ? undefined : parseJson(text)
    const { data } = wordFileSchema.safeParse(content)
    isOfLaterVersion = laterFileSchema.safeParse(content).success
    if (data !== undefined) return data.projects
    if (isOfLaterVersion) tell(`${file} was written by a later version: names of projects are not shown.`)
    else putAside(file, tell)
    return []
  }

  return {
    read,
    write(words) {
      if (isOfLaterVersion) throw new Error(`${file} was written by a later version of gemini-dash`)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeWhole(file, `${JSON.stringify({ version: FORMAT_VERSION, projects: words }, null, 2)}\n`)
      lastRead = { identity: fileIdentity(file), words }
    },
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

function putAside(file: string, tell: (message: string) => void): void {
  const aside = `${file}.damaged-${Date.now()}`
  try {
    renameSync(file, aside)
    tell(`The names that you gave to projects could not be read. The file is kept as ${aside}.`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    tell(`The names that you gave to projects could not be read (${reason}).`)
  }
}

/** Another process sees the old file or the new one, never a part. */
function writeWhole(file: string, text: string): void {
  const part = join(dirname(file), `.${FILE_NAME}-${randomBytes(6).toString('hex')}`)
  try {
    const descriptor = openSync(part, 'wx', 0o600)
    try {
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
