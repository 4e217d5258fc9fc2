import { randomUUID } from 'node:crypto'
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
import { replaceFile } from '@gemini-dash/session-index'
import { z } from 'zod'
import { alone } from '../alone.ts'
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
  /**
   * Entries that were not read before, in the order in which they were written; other processes write, too. `isAnew`: they
   * are all that there is, as something was taken out.
   */
  readOn(): { entries: MarkEntry[]; isAnew: boolean }
  /** @throws if nothing could be kept */
  append(entries: readonly MarkEntry[]): void
  /** Nothing that was said of these sessions is left. @throws if that could not be kept */
  drop(sessions: ReadonlySet<string>): void
}

/** For `--no-cache`: nothing outlives the run. */
export function createMemoryMarkLog(): MarkLog {
  let fresh: MarkEntry[] = []
  return {
    readOn: () => ({ entries: fresh.splice(0), isAnew: false }),
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
/** A head is shorter. */
const LONGEST_HEAD_BYTES = 256
const headSchema = z.looseObject({ marks: z.literal(HEAD.marks), version: z.int() })
const LINE_FEED = 0x0a

/**
 * `marks.jsonl` of the data folder, for this user only: a line for each thing that was said. Lines are only ever added, while
 * no other process writes; a line that a crash cut off, or that is none of ours, is passed over and stays. Where a session
 * is forgotten, the file is written anew with another head, by which others know that what they have read holds no more.
 */
export function openMarkFile(folder: string, tell: (message: string) => void): MarkLog {
  const file = join(folder, FILE)
  let isOfLaterVersion = false
  let damagedLines = 0
  let toldDamaged = 0
  let read = NOTHING_READ

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

  function readOn(): { entries: MarkEntry[]; isAnew: boolean } {
    const wasOfLaterVersion = isOfLaterVersion
    const identity = fileIdentity(file)
    if (identity === read.identity) return { entries: [], isAnew: false }
    const { text, ...now } = identity === '' ? { ...NOTHING_READ, text: '' } : readLines(file, read)
    const isAnew = read.head !== '' && now.head !== read.head
    if (isAnew) [damagedLines, toldDamaged, isOfLaterVersion] = [0, 0, false]
    read = { ...now, identity }
    const entries = text.split('\n').flatMap(toEntry)
    if (isOfLaterVersion && !wasOfLaterVersion)
      tell(`${file} was written by a later version of gemini-dash and is not used.`)
    if (damagedLines > toldDamaged)
      tell(`Lines of ${file} that are damaged: ${damagedLines}. What they said of sessions is passed over.`)
    toldDamaged = damagedLines
    return { entries: isOfLaterVersion ? [] : entries, isAnew }
  }

  function expectOwnVersion(): void {
    if (isOfLaterVersion) throw new Error(`${file} was written by a later version of gemini-dash`)
  }

  return {
    readOn,

    append(entries) {
      expectOwnVersion()
      alone(folder, () => {
        const descriptor = openSync(file, 'a+', 0o600)
        try {
          const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
          writeAll(descriptor, Buffer.from(beginning(descriptor) + lines))
          fsyncSync(descriptor)
        } finally {
          closeSync(descriptor)
        }
      })
    },

    drop(sessions) {
      expectOwnVersion()
      if (fileIdentity(file) !== '') alone(folder, () => dropLines(file, sessions))
    },
  }
}

interface MarksRead {
  /** Of the file, as it was looked at last. */
  identity: string
  /** Its number and its first line: the same as long as nothing was taken out; numbers alone are given again. */
  head: string
  bytes: number
}

const NOTHING_READ: MarksRead = { identity: '', head: '', bytes: 0 }

function dropLines(file: string, sessions: ReadonlySet<string>): void {
  const lines = readFileSync(file, 'utf8').split('\n')
  const isOf = (line: string) => {
    const session = sessionSchema.safeParse(parseJson(line)).data?.session
    return session !== undefined && sessions.has(session)
  }
  const left = lines.filter((line) => !isOf(line))
  if (left.length === lines.length) return
  const isHead = (line: string) => headSchema.safeParse(parseJson(line)).success
  const head = JSON.stringify({ ...HEAD, written: randomUUID() })
  const text = [head, ...left.filter((line) => !isHead(line))].join('\n')
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  replaceFile(`${file}.new`, file)
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

/** From where it was read last, or all of another file; a last line without its end may still be written. */
function readLines(file: string, before: MarksRead): Omit<MarksRead, 'identity'> & { text: string } {
  const descriptor = openSync(file, 'r')
  try {
    const first = Buffer.alloc(LONGEST_HEAD_BYTES)
    const start = first.subarray(0, readSync(descriptor, first, 0, first.length, 0))
    const end = start.indexOf(LINE_FEED)
    const { ino, size } = fstatSync(descriptor)
    const head = `${ino} ${start.toString('utf8', 0, end === -1 ? start.length : end)}`
    const from = head === before.head ? before.bytes : 0
    const content = Buffer.alloc(Math.max(size - from, 0))
    const length = readSync(descriptor, content, 0, content.length, from)
    const bytes = content.subarray(0, length).lastIndexOf(LINE_FEED) + 1
    // a beginning that is still written is none that could be known again
    return bytes === 0 && from === 0
      ? { head: '', bytes: 0, text: '' }
      : { head, bytes: from + bytes, text: content.toString('utf8', 0, bytes) }
  } finally {
    closeSync(descriptor)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
