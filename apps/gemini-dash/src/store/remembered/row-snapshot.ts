import { randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type IndexedGroup, replaceFile } from '@gemini-dash/session-index'
import type { Scan } from 'gemini-sessions/node'
import type { KeptEnds } from './head-book.ts'
import { type PackedGroup, packGroup, unpackGroup } from './packed-groups.ts'
import { type PackedScan, packScan, unpackScan } from './packed-scan.ts'
import { type RememberedGroup, RememberedList } from './remembered-list.ts'
import { openLine, sealLine } from './sealed-line.ts'
import {
  FIRST_LINE,
  type LinePlace,
  readEnd,
  readEndLine,
  readFrameBytes,
  type SnapshotEnd,
} from './snapshot-frame.ts'

const FILE_NAME = 'rows.jsonl'
/** Some milliseconds of work; then the event loop is free. */
const GROUPS_PER_PIECE = 64
const PIECE_BYTES = 256 * 1024
const NEW_LINE = 0x0a

/** Where the line of each group lies, by its id. */
export type LinePlaces = ReadonlyMap<string, LinePlace>

export interface RowsToKeep {
  groups: Iterable<IndexedGroup>
  /** What is known of files whose groups are not among them. */
  ends: readonly KeptEnds[]
  /** What lies on disk. */
  scan: Scan
  /** Costs are those of these prices. */
  prices: string
  describe: (places: LinePlaces) => RememberedGroup[]
}

interface ListLine {
  /** Costs are those of these prices. */
  prices: string
  groups: PackedGroup[]
}

/**
 * The rows of all sessions in one file beside the index, so that a list stands before any database is open. One line a
 * group between a first line with the format and four last ones: what is known of other files, which files there were, what
 * a list needs of each group, and where these three lie.
 * Each carries a checksum. A cache: what of it is damaged is read from the session files.
 */
export class RowSnapshot {
  readonly #directory: string | null

  /** `directory`: that of the index; null keeps nothing. */
  constructor(directory: string | null) {
    this.#directory = directory
  }

  /** null: there is none, it has another format, or its end is missing. */
  async read(): Promise<Map<string, IndexedGroup> | null> {
    if (this.#directory === null) return null
    try {
      const descriptor = openSync(join(this.#directory, FILE_NAME), 'r')
      try {
        return await readGroups(descriptor)
      } finally {
        closeSync(descriptor)
      }
    } catch {
      return null
    }
  }

  /** What a list needs of all rows, without reading them; null as above, or where prices are others now. */
  openList(prices: string): RememberedList | null {
    if (this.#directory === null) return null
    try {
      const descriptor = openSync(join(this.#directory, FILE_NAME), 'r')
      const list = readEndLine(descriptor, 'list') as ListLine | null
      if (list?.prices === prices) return new RememberedList(list.groups.map(unpackGroup), descriptor)
      closeSync(descriptor)
    } catch {
      // As if it were not there.
    }
    return null
  }

  /** Which files and folders an earlier run saw; null as above. */
  readScan(): Scan | null {
    const packed = this.#readLine('scan') as PackedScan | null
    return packed && unpackScan(packed)
  }

  /** What an earlier run knew of files that it had not read whole. */
  readEnds(): KeptEnds[] {
    return (this.#readLine('ends') as KeptEnds[] | null) ?? []
  }

  #readLine(name: 'scan' | 'ends'): unknown {
    if (this.#directory === null) return null
    try {
      const descriptor = openSync(join(this.#directory, FILE_NAME), 'r')
      try {
        return readEndLine(descriptor, name)
      } finally {
        closeSync(descriptor)
      }
    } catch {
      return null
    }
  }

  /** Replaces the file as a whole. The folder has to be there, and to be ours alone. @throws if it cannot be written */
  async write({ groups, ends, scan, prices, describe }: RowsToKeep): Promise<void> {
    if (this.#directory === null) return
    const path = join(this.#directory, FILE_NAME)
    const unfinished = `${path}.${randomUUID()}`
    try {
      await removeUnfinished(this.#directory)
      const file = await open(unfinished, 'wx', 0o600)
      try {
        const places = await writeGroups(file, groups)
        const list: ListLine = { prices, groups: describe(places).map(packGroup) }
        const lines = { ends: sealLine(ends), scan: sealLine(packScan(scan)), list: sealLine(list) }
        const { size } = await file.stat()
        await file.write(Buffer.concat([...Object.values(lines), sealLine(placesOf(lines, size))]))
      } finally {
        await file.close()
      }
      replaceFile(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw error
    }
  }
}

/** null: it is not whole, or of another format. Piece by piece: the text of all rows is far more than the rows take. */
async function readGroups(descriptor: number): Promise<Map<string, IndexedGroup> | null> {
  const end = readEnd(descriptor)
  if (end === null) return null
  const groups = new Map<string, IndexedGroup>()
  let rest = Buffer.alloc(0)
  for (let offset = FIRST_LINE.length + 1; offset < end.ends[0]; ) {
    await setImmediate()
    const piece = readFrameBytes(descriptor, offset, Math.min(PIECE_BYTES, end.ends[0] - offset))
    if (piece.length === 0) return null
    offset += piece.length
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.lastIndexOf(NEW_LINE) + 1
    rest = bytes.subarray(whole)
    for (const line of linesOf(bytes.subarray(0, whole))) {
      const group = openGroup(line)
      if (group !== null) groups.set(group.id, group)
    }
  }
  return groups
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEW_LINE, start) + 1
    yield bytes.subarray(start, end)
    start = end
  }
}

/** null: the line is damaged, so this group is read again. */
function openGroup(line: Buffer): IndexedGroup | null {
  try {
    return openLine(line) as IndexedGroup
  } catch {
    return null
  }
}

/** What a stop cut off while it was written. */
async function removeUnfinished(directory: string): Promise<void> {
  const names = await readdir(directory)
  const unfinished = names.filter((name) => name.startsWith(`${FILE_NAME}.`))
  await Promise.all(unfinished.map((name) => rm(join(directory, name), { force: true })))
}

function placesOf({ ends, scan, list }: Record<keyof SnapshotEnd, Buffer>, start: number): SnapshotEnd {
  const scanStart = start + ends.length
  return {
    ends: [start, ends.length],
    scan: [scanStart, scan.length],
    list: [scanStart + scan.length, list.length],
  }
}

async function writeGroups(file: FileHandle, groups: Iterable<IndexedGroup>): Promise<LinePlaces> {
  await file.write(`${FIRST_LINE}\n`)
  const places = new Map<string, LinePlace>()
  let offset = FIRST_LINE.length + 1
  let piece: Buffer[] = []
  for (const group of groups) {
    const line = sealLine(group)
    places.set(group.id, [offset, line.length])
    offset += line.length
    piece.push(line)
    if (piece.length < GROUPS_PER_PIECE) continue
    await file.write(Buffer.concat(piece))
    piece = []
  }
  await file.write(Buffer.concat(piece))
  return places
}
