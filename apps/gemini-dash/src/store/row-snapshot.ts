import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { CACHE_FORMAT, type IndexedGroup } from '@gemini-dash/session-index'
import { type PackedGroup, packGroup, unpackGroup } from './packed-groups.ts'
import { type RememberedGroup, RememberedList } from './remembered-list.ts'
import { openLine, sealLine } from './sealed-line.ts'

const FILE_NAME = 'rows.jsonl'
/** Some milliseconds of work; then the event loop is free. */
const GROUPS_PER_PIECE = 64
const PIECE_BYTES = 256 * 1024
const NEW_LINE = 0x0a
/** The last line is shorter. */
const LAST_LINE_BYTES = 200

/** Where the line of each group lies, by its id. */
export type LinePlaces = ReadonlyMap<string, RememberedGroup['at']>

interface LastLine {
  /** Where the list begins, and how many bytes it takes, up to this line. */
  listOffset: number
  listBytes: number
}

interface ListLine {
  /** Costs are those of these prices. */
  prices: string
  groups: PackedGroup[]
}

/**
 * The rows of all sessions in one file beside the index, so that a list stands before any database is open. One line a
 * group between a first line with the format and two last ones: what a list needs of each group, and where that lies.
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
      const list = readList(descriptor)
      if (list?.prices === prices) return new RememberedList(list.groups.map(unpackGroup), descriptor)
      closeSync(descriptor)
    } catch {
      // As if it were not there.
    }
    return null
  }

  /** Replaces the file as a whole. The folder has to be there, and to be ours alone. @throws if it cannot be written */
  async write(
    groups: Iterable<IndexedGroup>,
    prices: string,
    describe: (places: LinePlaces) => RememberedGroup[],
  ): Promise<void> {
    if (this.#directory === null) return
    const path = join(this.#directory, FILE_NAME)
    const unfinished = `${path}.${randomUUID()}`
    try {
      await removeUnfinished(this.#directory)
      const file = await open(unfinished, 'wx', 0o600)
      try {
        const places = await writeGroups(file, groups)
        const list: ListLine = { prices, groups: describe(places).map(packGroup) }
        const line = sealLine(list)
        const { size: listOffset } = await file.stat()
        const last: LastLine = { listOffset, listBytes: line.length }
        await file.write(Buffer.concat([line, sealLine(last)]))
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw error
    }
  }
}

/** Of the rows, and of the list after them. */
const FIRST_LINE = JSON.stringify({ format: CACHE_FORMAT.files })

/** null: it is not whole, or of another format. Piece by piece: the text of all rows is far more than the rows take. */
async function readGroups(descriptor: number): Promise<Map<string, IndexedGroup> | null> {
  const end = readEnd(descriptor)
  if (end === null) return null
  const groups = new Map<string, IndexedGroup>()
  let rest = Buffer.alloc(0)
  for (let offset = FIRST_LINE.length + 1; offset < end.listOffset; ) {
    await setImmediate()
    const piece = readBytes(descriptor, offset, Math.min(PIECE_BYTES, end.listOffset - offset))
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

async function writeGroups(file: FileHandle, groups: Iterable<IndexedGroup>): Promise<LinePlaces> {
  await file.write(`${FIRST_LINE}\n`)
  const places = new Map<string, RememberedGroup['at']>()
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

/** null: it is not whole, or of another format. */
function readList(descriptor: number): ListLine | null {
  const end = readEnd(descriptor)
  if (end === null) return null
  try {
    return openLine(readBytes(descriptor, end.listOffset, end.listBytes)) as ListLine
  } catch {
    return null
  }
}

/** The last line; null as above. */
function readEnd(descriptor: number): LastLine | null {
  const sizeBytes = fstatSync(descriptor).size
  const first = readBytes(descriptor, 0, FIRST_LINE.length + 1).toString()
  if (first !== `${FIRST_LINE}\n`) return null
  const end = readBytes(descriptor, Math.max(0, sizeBytes - LAST_LINE_BYTES), LAST_LINE_BYTES)
  try {
    return openLine(end.subarray(end.lastIndexOf(NEW_LINE, end.length - 2) + 1)) as LastLine
  } catch {
    return null
  }
}

function readBytes(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset))
}
