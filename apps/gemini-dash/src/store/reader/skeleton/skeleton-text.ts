import { crc32 } from 'node:zlib'
import type { Message, Session } from 'gemini-sessions'
import type { Skeleton } from './skeleton.ts'

const NEWLINE = 10
/** Some milliseconds of work, and a few hundred kilobytes. */
const MESSAGES_PER_LINE = 128

interface Heads {
  sessions: Omit<Session, 'messages'>[]
  files: Skeleton['files']
}

/** A piece of a session's messages. */
type Batch = [session: number, messages: readonly Message[]]

/**
 * A skeleton as lines: for which files it holds, all but the messages, the messages, and a checksum of all before it.
 * ASCII only: bytes become text, and text values, twice as fast.
 */
export function* writeSkeletonText({ sessions, files }: Skeleton, stamp: string): Generator<Buffer> {
  let sum = 0
  for (const value of valuesOf(sessions, files, stamp)) {
    const line = toSkeletonLine(value)
    sum = crc32(line, sum)
    yield line
  }
  yield toSkeletonLine(sum)
}

function* valuesOf(
  sessions: Skeleton['sessions'],
  files: Skeleton['files'],
  stamp: string,
): Generator<unknown> {
  yield stamp
  const heads: Heads = { sessions: sessions.map(({ messages, ...head }) => head), files }
  yield heads
  for (const [index, { messages }] of sessions.entries()) {
    for (let start = 0; start < messages.length; start += MESSAGES_PER_LINE) {
      const batch: Batch = [index, messages.slice(start, start + MESSAGES_PER_LINE)]
      yield batch
    }
  }
}

export function toSkeletonLine(value: unknown): Buffer {
  const text = JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return Buffer.from(`${text}\n`, 'latin1')
}

/** null: it is of other files, of another version, or not whole. */
export function readSkeletonText(bytes: Buffer, stamp: string): Skeleton | null {
  const lines = linesOf(bytes)
  if (JSON.parse(lines.next().value ?? 'null') !== stamp || !isWhole(bytes)) return null
  const { sessions: heads, files }: Heads = JSON.parse(lines.next().value ?? 'null')
  const sessions = heads.map((head): Session => ({ ...head, messages: [] }))
  for (const line of lines) {
    const value: Batch | number = JSON.parse(line)
    if (typeof value === 'number') break
    sessions[value[0]]?.messages.push(...value[1])
  }
  return { sessions, files }
}

function isWhole(bytes: Buffer): boolean {
  const lastLine = bytes.lastIndexOf(NEWLINE, bytes.length - 2) + 1
  return Number(bytes.toString('latin1', lastLine, bytes.length - 1)) === crc32(bytes.subarray(0, lastLine))
}

function* linesOf(bytes: Buffer): Generator<string, undefined> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start)
    if (end === -1) return
    yield bytes.toString('latin1', start, end)
    start = end + 1
  }
}
