import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { findMembers, type Member } from './gzip-members.ts'

export interface Stamp {
  sizeBytes: number
  mtimeNs: string
  ctimeNs: string
  inode: string
}

export type Label = Record<string, string | null>

/** A content on disk: `path` in the archive with `.gz` behind it. */
export interface Kept {
  path: string
  members: Member[]
  /** Of the `.gz`, as we left it: another one means that somebody else wrote it. */
  identity: string
  /** When it was taken. */
  at: string
}

export interface Entry extends Kept {
  label: Label
  /** Of the file in its home. */
  stamp: Stamp
  /** It grew, and only its ends were read again. */
  isAssumed: boolean
  gone: string | null
  /** Contents that it had, and of which something is in no later one. */
  former: Kept[]
}

/** Whatever was noted later of one path counts. `null`: it is kept no more. */
type Line = { entry: Entry } | { path: string; grown: [Member, Stamp, string, string] } | { path: string; left: null }

/** Lines may be so many bytes more than those of a new index. */
const SPARE_BYTES = 8 * 1024

/**
 * `index.gz`: what the archive's files are, one line each; lines that come are one more gzip member, synced. Made again of
 * the files where it is lost: then it is not known what is missing, nor when things were seen.
 */
export class IndexFile {
  readonly entries = new Map<string, Entry>()
  readonly #path: string
  damagedLines = 0
  isMissing = false
  /** The end of whoever was killed, or of a disk that was full. */
  isTorn = false
  #sizeBytes = 0
  #compactBytes = 0

  constructor(folder: string) {
    this.#path = join(folder, 'index.gz')
  }

  load(): void {
    let bytes: Buffer
    try {
      bytes = readFileSync(this.#path)
    } catch {
      this.isMissing = true
      return
    }
    // the torn line of whoever was killed, or of a disk that was full, is none
    const { members, starts, strayBytes } = findMembers(bytes)
    const end = members.reduce((sum, { storedBytes }, place) => Math.max(sum, (starts[place] ?? 0) + storedBytes), 0)
    const isDamaged = strayBytes > bytes.length - end
    if (isDamaged) this.damagedLines++
    for (const [place, { storedBytes }] of members.entries()) {
      const start = starts[place] ?? 0
      for (const text of zlib.gunzipSync(bytes.subarray(start, start + storedBytes)).toString().split('\n').slice(0, -1)) {
        const line = parseLine(text)
        if (line === null) this.damagedLines++
        else this.apply(line)
      }
    }
    this.#sizeBytes = end
    this.isTorn = end < bytes.length
    this.#compactBytes = members[0]?.storedBytes ?? 0
  }

  /** Lines that were applied. On disk when this returns, all of them or none. @throws where there is no room */
  append(lines: readonly Line[]): void {
    const bytes = zlib.gzipSync(lines.map(formatLine).join(''), { level: 9 })
    if (this.#sizeBytes + bytes.length > 2 * this.#compactBytes + SPARE_BYTES) return this.rewrite()
    const descriptor = openSync(this.#path, 'a', 0o600)
    try {
      if (this.isTorn) ftruncateSync(descriptor, this.#sizeBytes)
      this.isTorn = false
      writeAll(descriptor, bytes)
      fsyncSync(descriptor)
      this.#sizeBytes = fstatSync(descriptor).size
    } catch (error) {
      ftruncateSync(descriptor, this.#sizeBytes)
      throw error
    } finally {
      closeSync(descriptor)
    }
  }

  rewrite(): void {
    const bytes = zlib.gzipSync([...this.entries.values()].map((entry) => formatLine({ entry })).join(''))
    const unfinished = `${this.#path}.part`
    const descriptor = openSync(unfinished, 'w', 0o600)
    try {
      writeAll(descriptor, bytes)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(unfinished, this.#path)
    this.#sizeBytes = bytes.length
    this.#compactBytes = bytes.length
  }

  get storedBytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0
  }

  apply(line: Line): void {
    if ('entry' in line) this.entries.set(line.entry.path, line.entry)
    else if ('left' in line) this.entries.delete(line.path)
    else {
      const entry = this.entries.get(line.path)
      if (entry === undefined) return
      const [member, stamp, identity, at] = line.grown
      this.entries.set(line.path, { ...entry, members: [...entry.members, member], stamp, identity, at, isAssumed: true, gone: null })
    }
  }
}

export type { Line }

export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}

const memberRow = ({ storedBytes, rawBytes, crc, hash }: Member) => [storedBytes, rawBytes, crc, hash]
const toMember = ([storedBytes, rawBytes, crc, hash]: [number, number, number, string]): Member => ({ storedBytes, rawBytes, crc, hash })

function formatLine(line: Line): string {
  const text = JSON.stringify(line, (key, value) =>
    key === 'members' ? value.map(memberRow) : key === 'grown' ? [memberRow(value[0]), ...value.slice(1)] : value,
  )
  return `${text}\n`
}

function parseLine(text: string): Line | null {
  try {
    return JSON.parse(text, (key, value) =>
      key === 'members' ? value.map(toMember) : key === 'grown' ? [toMember(value[0]), ...value.slice(1)] : value,
    )
  } catch {
    return null
  }
}
