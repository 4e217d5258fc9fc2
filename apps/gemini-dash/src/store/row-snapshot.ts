import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { INDEX_VERSION, type IndexedGroup } from '@gemini-dash/session-index'

const FILE_NAME = 'rows.jsonl'
const GROUPS_PER_WRITE = 64

/**
 * The rows of all sessions in one file beside the index, so that a list stands before any database is open. One line a
 * group between a first line with the version and a last one with the number of groups. A cache: whoever cannot read it
 * whole goes on without it.
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
      const [first = '', ...lines] = (await readFile(join(this.#directory, FILE_NAME), 'utf8')).split('\n')
      if (first !== FIRST_LINE) return null
      const last = lines.findLastIndex((line) => line !== '')
      const groups = lines.slice(0, last).map((line): IndexedGroup => JSON.parse(line))
      return lines[last] === lastLine(groups.length)
        ? new Map(groups.map((group) => [group.id, group]))
        : null
    } catch {
      return null
    }
  }

  /** Replaces the file as a whole. The folder has to be there, and to be ours alone. */
  async write(groups: Iterable<IndexedGroup>): Promise<void> {
    if (this.#directory === null) return
    const path = join(this.#directory, FILE_NAME)
    const unfinished = `${path}.${randomUUID()}`
    try {
      const file = await open(unfinished, 'wx', 0o600)
      try {
        await writeLines(file, groups)
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

function lastLine(groups: number): string {
  return JSON.stringify({ groups })
}

/** In pieces, so that the event loop is free in between. */
async function writeLines(file: FileHandle, groups: Iterable<IndexedGroup>): Promise<void> {
  await file.write(`${FIRST_LINE}\n`)
  let count = 0
  let piece: string[] = []
  for (const group of groups) {
    piece.push(`${JSON.stringify(group)}\n`)
    count += 1
    if (piece.length < GROUPS_PER_WRITE) continue
    await file.write(piece.join(''))
    piece = []
  }
  await file.write(`${piece.join('')}${lastLine(count)}\n`)
}
