import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { INDEX_VERSION, type IndexedGroup } from '@gemini-dash/session-index'
import { type RememberedGroup, RememberedList } from './remembered-list.ts'

const FILE_NAME = 'rows.jsonl'
/** Some milliseconds of work; then the event loop is free. */
const GROUPS_PER_PIECE = 64
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
  groups: RememberedGroup[]
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
      const [first, ...lines] = (await readFile(join(this.#directory, FILE_NAME), 'utf8')).split('\n')
      const last: LastLine = JSON.parse(lines.at(-2) ?? '')
      // The list, the last line, and what follows its end.
      if (first !== FIRST_LINE || lines.length !== last.groups + 3) return null
      const groups = new Map<string, IndexedGroup>()
      for (const [index, line] of lines.slice(0, last.groups).entries()) {
        if (index % GROUPS_PER_PIECE === 0) await setImmediate()
        const group: IndexedGroup = JSON.parse(line)
        groups.set(group.id, group)
      }
      return groups
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
      if (list?.prices === prices) return new RememberedList(list.groups, descriptor)
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
      const file = await open(unfinished, 'wx', 0o600)
      try {
        const places = await writeGroups(file, groups)
        const list: ListLine = { prices, groups: describe(places) }
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

const FIRST_LINE = JSON.stringify({ version: INDEX_VERSION })

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
  const sizeBytes = fstatSync(descriptor).size
  const first = readText(descriptor, 0, FIRST_LINE.length + 1)
  if (first !== `${FIRST_LINE}\n`) return null
  const end = readText(descriptor, Math.max(0, sizeBytes - LAST_LINE_BYTES), LAST_LINE_BYTES)
  const lastLine = end.trimEnd().split('\n').at(-1) ?? ''
  try {
    const { listBytes }: LastLine = JSON.parse(lastLine)
    return JSON.parse(readText(descriptor, sizeBytes - lastLine.length - 1 - listBytes, listBytes))
  } catch {
    return null
  }
}

function readText(descriptor: number, offset: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, length, offset))
}
