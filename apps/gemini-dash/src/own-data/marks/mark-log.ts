import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { markChangeSchema } from '@gemini-dash/api'
import { openTrustedFolder, replaceFile } from '@gemini-dash/session-index'
import { z } from 'zod'
import { fileIdentity } from '../list-file.ts'

/** One thing that was said, and when: what was said last of a field holds, in whatever order the lines stand. */
export const markEntrySchema = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  session: z.string().min(1),
  /** Of one message of the session; without it, of the session. */
  message: z.string().optional(),
  ...markChangeSchema.shape,
})
export type MarkEntry = z.infer<typeof markEntrySchema>

/** Where marks are kept: a file, or memory alone. */
export interface MarkLog {
  /** Entries that were not read before, in the order in which they were written; other processes write, too. */
  readOn(): MarkEntry[]
  /** @throws if nothing could be kept */
  append(entries: readonly MarkEntry[]): void
  /** Nothing that was said of these sessions is left. @throws if that could not be kept */
  drop(sessions: ReadonlySet<string>): void
}

/** For `--no-cache`: nothing outlives the run. */
export function createMemoryMarkLog(): MarkLog {
  let fresh: MarkEntry[] = []
  return {
    readOn: () => fresh.splice(0),
    append: (entries) => {
      fresh = [...fresh, ...entries]
    },
    drop: (sessions) => {
      fresh = fresh.filter(({ session }) => !sessions.has(session))
    },
  }
}

const FILE = 'marks.jsonl'
const HEAD = { marks: 'gemini-dash', version: 1 }
const headSchema = z.looseObject({ marks: z.literal(HEAD.marks), version: z.int() })
const LINE_FEED = 0x0a

/**
 * `marks.jsonl` of the data folder, for this user only: a line for each thing that was said. Lines are only ever added, each
 * by one write to the file's end, so several processes write beside each other and lose nothing; a line that a crash cut
 * off, or that is none of ours, is passed over and stays.
 */
export function openMarkFile(folder: string, tell: (message: string) => void): MarkLog {
  const file = join(folder, FILE)
  let isOfLaterVersion = false
  let damagedLines = 0
  let read = { inode: '', bytes: 0 }

  function toEntry(line: string): MarkEntry[] {
    if (line.trim() === '') return []
    const value = parseJson(line)
    const head = headSchema.safeParse(value).data
    if (head !== undefined) {
      isOfLaterVersion ||= head.version > HEAD.version
      return []
    }
    const entry = markEntrySchema.safeParse(value).data
    if (entry === undefined) damagedLines += 1
    return entry === undefined ? [] : [entry]
  }

  return {
    readOn() {
      const [earlier, wasOfLaterVersion] = [damagedLines, isOfLaterVersion]
      const inode = inodeOf(file)
      if (inode !== read.inode) read = { inode, bytes: 0 }
      if (inode === '') return []
      const { text, bytes } = completeLines(file, read.bytes)
      read.bytes += bytes
      const entries = text.split('\n').flatMap(toEntry)
      if (isOfLaterVersion && !wasOfLaterVersion)
        tell(`${file} was written by a later version of gemini-dash and is not used.`)
      if (damagedLines > earlier)
        tell(`Lines of ${file} that are damaged: ${damagedLines}. What they said of sessions is passed over.`)
      return isOfLaterVersion ? [] : entries
    },

    append(entries) {
      if (isOfLaterVersion) throw new Error(`${file} was written by a later version of gemini-dash`)
      openTrustedFolder(folder)
      const descriptor = openSync(file, 'a+', 0o600)
      try {
        const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
        writeAll(descriptor, Buffer.from(beginning(descriptor) + lines))
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    },

    drop(sessions) {
      if (isOfLaterVersion) throw new Error(`${file} was written by a later version of gemini-dash`)
      if (inodeOf(file) === '') return
      const lines = readFileSync(file, 'utf8').split('\n')
      const isOf = (line: string) => {
        const session = sessionSchema.safeParse(parseJson(line)).data?.session
        return session !== undefined && sessions.has(session)
      }
      const left = lines.filter((line) => !isOf(line))
      if (left.length === lines.length) return
      writeFileSync(`${file}.new`, left.join('\n'), { mode: 0o600, flush: true })
      replaceFile(`${file}.new`, file)
    },
  }
}

/** Also of a line that is damaged otherwise. */
const sessionSchema = z.object({ session: z.string() })

/** One write, but where the disk takes a part: then what is missing is tried again, which says that it is full. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
}

/** What stands before the next line: the head of a new file, and the end of a line that a crash cut off. */
function beginning(descriptor: number): string {
  const { size } = fstatSync(descriptor)
  if (size === 0) return `${JSON.stringify(HEAD)}\n`
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last[0] === LINE_FEED ? '' : '\n'
}

/** From that byte on; a last line without its end may still be written. */
function completeLines(file: string, from: number): { text: string; bytes: number } {
  const descriptor = openSync(file, 'r')
  try {
    const content = Buffer.alloc(Math.max(fstatSync(descriptor).size - from, 0))
    const length = readSync(descriptor, content, 0, content.length, from)
    const bytes = content.subarray(0, length).lastIndexOf(LINE_FEED) + 1
    return { text: content.toString('utf8', 0, bytes), bytes }
  } finally {
    closeSync(descriptor)
  }
}

function inodeOf(file: string): string {
  return fileIdentity(file).split(' ')[0] ?? ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
