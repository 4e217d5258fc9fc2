import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { CACHE_FORMAT, type IndexedGroup } from '@gemini-dash/session-index'
import { type PackedGroup, packGroup, unpackGroup } from './packed-groups.ts'
import { type RememberedGroup, RememberedList } from './remembered-list.ts'

const FILE_NAME = 'rows.jsonl'
/** Some milliseconds of work; then the event loop is free. */
const GROUPS_PER_PIECE = 64
const PIECE_BYTES = 256 * 1024
const NEW_LINE = 0x0a
/** The last line, with its digits, is shorter. */
const LAST_LINE_BYTES = 200

/** Where the line of each group lies, by its id. */
export type LinePlaces = ReadonlyMap<string, RememberedGroup['at']>

interface LastLine {
  groups: number
  /** Bytes of the line before this one. */
  listBytes: number
}

interface ListLine {
  /** Costs are those of these prices. */
  prices: string
  groups: PackedGroup[]
}

/**
 * The rows of all sessions in one file beside the index, so that a list stands before any database is open. One line a
 * group between a first line with the version and two last ones: what a list needs of each group, and how many there
 * are. A cache: whoever cannot read it whole goes on without it.
 */
export class RowSnapshot {
  readonly #directory: string | null

  /** `directory`: that of the index; null keeps nothing. */
  constructor(directory: string | null) {
    this.#directory = directory
  }

  /** null: there is none, it was written by another version, or it is not whole. */
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

  /** Replaces the file as a whole. The folder has to be there, and to be ours alone. */
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
        const line = `${JSON.stringify(list)}\n`
        const last: LastLine = { groups: places.size, listBytes: Buffer.byteLength(line) }
        await file.write(`${line}${JSON.stringify(last)}\n`)
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
    } catch {
      // A full disk, a folder taken away: the next start reads the index instead.
      await rm(unfinished, { force: true })
    }
  }
}

/** Of the rows, and of the list after them. */
const FIRST_LINE = JSON.stringify({ format: CACHE_FORMAT.files })

/** null: it is not whole, or of another version. Piece by piece: the text of all rows is far more than the rows take. */
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
    for (const line of bytes.toString('utf8', 0, whole).split('\n')) {
      if (line === '') continue
      const group: IndexedGroup = JSON.parse(line)
      groups.set(group.id, group)
    }
  }
  return groups.size === end.groups ? groups : null
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
  let piece: string[] = []
  for (const group of groups) {
    const line = `${JSON.stringify(group)}\n`
    const sizeBytes = Buffer.byteLength(line)
    places.set(group.id, [offset, sizeBytes])
    offset += sizeBytes
    piece.push(line)
    if (piece.length < GROUPS_PER_PIECE) continue
    await file.write(piece.join(''))
    piece = []
  }
  await file.write(piece.join(''))
  return places
}

/** null: it is not whole, or of another version. */
function readList(descriptor: number): ListLine | null {
  const end = readEnd(descriptor)
  if (end === null) return null
  try {
    return JSON.parse(readBytes(descriptor, end.listOffset, end.listBytes).toString())
  } catch {
    return null
  }
}

/** The last line, and where the list before it begins; null as above. */
function readEnd(descriptor: number): (LastLine & { listOffset: number }) | null {
  const sizeBytes = fstatSync(descriptor).size
  const first = readBytes(descriptor, 0, FIRST_LINE.length + 1).toString()
  if (first !== `${FIRST_LINE}\n`) return null
  const end = readBytes(descriptor, Math.max(0, sizeBytes - LAST_LINE_BYTES), LAST_LINE_BYTES).toString()
  const lastLine = end.trimEnd().split('\n').at(-1) ?? ''
  try {
    const last: LastLine = JSON.parse(lastLine)
    return { ...last, listOffset: sizeBytes - lastLine.length - 1 - last.listBytes }
  } catch {
    return null
  }
}

function readBytes(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset))
}
