import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'

/** State of a database file when it was last complete, to detect damage and mix-ups. */
interface DatabaseSum extends FileSum {
  /** Shared by all databases of a folder: one copied from elsewhere is rejected. */
  folderId: string
  /** File name when written: detects one shard copied over another. */
  name: string
}

interface FileSum {
  sizeBytes: number
  crc: number
}

const PIECE_BYTES = 4 * 1024 * 1024

/**
 * Called after each commit, so that a process killed later leaves a database that verifies. Nothing may be written to the database
 * meanwhile; `pause` lets readers proceed.
 *
 * @throws if the file was replaced since it was opened, or its sum cannot be written
 */
export async function writeDatabaseSum(
  path: string,
  { folderId, fileId, pause }: { folderId: string; fileId: string | null; pause: () => Promise<void> },
): Promise<void> {
  const refuseAnother = () => {
    if (fileIdOf(path) !== fileId) throw new Error(`${path} was taken away or replaced`)
  }
  refuseAnother()
  const pieces = sumFile(path)
  let sum = pieces.next()
  for (; !sum.done; sum = pieces.next()) await pause()
  refuseAnother()
  const known = { folderId, name: basename(path), ...sum.value }
  writeFileSync(`${path}.sum.new`, JSON.stringify(known), { mode: 0o600 })
  replaceFile(`${path}.sum.new`, `${path}.sum`)
}

/** Distinguishes a file from one that replaced it; null if it does not exist. */
export function fileIdOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`
}

/** Whether every page is as written, in the file and folder it was written for. */
export function verifiesDatabase(path: string, folderId: string): boolean {
  const known = readDatabaseSum(path)
  if (known === null || known.folderId !== folderId || known.name !== basename(path)) return false
  const pieces = sumFile(path)
  let sum = pieces.next()
  while (!sum.done) sum = pieces.next()
  const { sizeBytes, crc } = sum.value
  return sizeBytes === known.sizeBytes && crc === known.crc
}

export function readDatabaseSum(path: string): DatabaseSum | null {
  try {
    const sum: unknown = JSON.parse(readFileSync(`${path}.sum`, 'utf8'))
    return isSum(sum) ? sum : null
  } catch {
    return null
  }
}

/** Without zod, which takes as long to load as everything else that opens a database. */
function isSum(value: unknown): value is DatabaseSum {
  if (typeof value !== 'object' || value === null) return false
  const { folderId, name, sizeBytes, crc }: Partial<Record<string, unknown>> = { ...value }
  const areTexts = typeof folderId === 'string' && typeof name === 'string'
  return areTexts && typeof sizeBytes === 'number' && typeof crc === 'number'
}

/** Covers everything that SQLite reads of the file; yields after each piece. */
function* sumFile(path: string): Generator<undefined, FileSum> {
  const file = openSync(path, 'r')
  try {
    const sizeBytes = fstatSync(file).size
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(1, sizeBytes)))
    let crc = 0
    let start = 0
    for (const [gap, end] of [...unusedPages(file, sizeBytes), [sizeBytes, sizeBytes] as const]) {
      for (let at = start; at < gap; ) {
        const read = readSync(file, piece, 0, Math.min(piece.length, gap - at), at)
        if (read === 0) return { sizeBytes: -1, crc }
        crc = crc32(piece.subarray(0, read), crc)
        at += read
        yield
      }
      start = Math.max(start, end)
    }
    return { sizeBytes, crc }
  } finally {
    closeSync(file)
  }
}

/**
 * The unused pages: the leaves of SQLite's freelist, in order. SQLite never reads them, and does not restore them when it rolls back the
 * transaction of a killed process.
 */
function unusedPages(file: number, sizeBytes: number): [start: number, end: number][] {
  const header = Buffer.alloc(100)
  if (readSync(file, header, 0, 100, 0) < 100) return []
  const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const pages = size === 0 ? 0 : sizeBytes / size
  const leaves: number[] = []
  const trunks = new Set<number>()
  const trunk = Buffer.alloc(size)
  for (let page = header.readUInt32BE(32); page > 0 && page <= pages && !trunks.has(page); ) {
    trunks.add(page)
    if (readSync(file, trunk, 0, size, (page - 1) * size) < size) break
    const count = Math.min(trunk.readUInt32BE(4), size / 4 - 2)
    for (let leaf = 0; leaf < count; leaf++) leaves.push(trunk.readUInt32BE(8 + leaf * 4))
    page = trunk.readUInt32BE(0)
  }
  return leaves
    .filter((page) => page > 0 && page <= pages)
    .sort((a, b) => a - b)
    .map((page) => [(page - 1) * size, page * size])
}

/** Windows does not replace a file that another program, such as a virus scanner, has open. */
const HELD = new Set(['EPERM', 'EBUSY', 'EACCES'])
const PAUSES_MS = [5, 20, 50, 100, 200, 400]

/** Replaces a file atomically. @throws if the system keeps refusing */
export function replaceFile(
  from: string,
  to: string,
  { platform = process.platform as string, rename = renameSync, wait = waitFor } = {},
): void {
  const pauses = platform === 'win32' ? [...PAUSES_MS] : []
  for (;;) {
    try {
      rename(from, to)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const pauseMs = HELD.has(code ?? '') ? pauses.shift() : undefined
      if (pauseMs === undefined) throw error
      wait(pauseMs)
    }
  }
}

function waitFor(pauseMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
}
