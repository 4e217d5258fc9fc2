import { fstatSync, readSync } from 'node:fs'

/** Random-access bytes: an open file, or memory. */
export interface ByteSource {
  readonly sizeBytes: number
  /** Fills `target` from `position` on, with fewer bytes if the source ends before. Returns how many. */
  read(target: Uint8Array, position: number): number
}

/** An open file, with its current size. Ignores what is appended later. */
export function fileSource(descriptor: number): ByteSource {
  const { size: sizeBytes } = fstatSync(descriptor)
  return {
    sizeBytes,
    read(target, position) {
      const wanted = Math.min(target.length, Math.max(sizeBytes - position, 0))
      let length = 0
      while (length < wanted) {
        const count = readSync(descriptor, target, length, wanted - length, position + length)
        if (count === 0) break
        length += count
      }
      return length
    },
  }
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    sizeBytes: bytes.length,
    read(target, position) {
      const part = bytes.subarray(position, position + target.length)
      target.set(part)
      return part.length
    },
  }
}

/** What a WAL adds to its database: the position of each page's newest committed copy. */
export interface WalPages {
  pageSize: number
  /** Page number (from 1) to the position of its bytes in the WAL. */
  places: ReadonlyMap<number, number>
  /** Pages of the database after the last commit. */
  pageCount: number
}

export const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** The lowest bit: checksums of little-endian words (0) or big-endian ones (1). */
const MAGIC = 0x377f0682
const FORMAT = 3_007_000
const CHUNK_BYTES = 256 * 1024

/**
 * Reads a WAL like SQLite's recovery: frames count as long as salts and running checksum match, and only up to a commit. null: it has no
 * commit, so the database alone is complete.
 */
export function readWal(wal: ByteSource): WalPages | null {
  const header = Buffer.alloc(WAL_HEADER_BYTES)
  if (wal.read(header, 0) < WAL_HEADER_BYTES) return null
  const magic = header.readUInt32BE(0)
  const pageSize = header.readUInt32BE(8)
  if (magic >>> 1 !== MAGIC >>> 1 || header.readUInt32BE(4) !== FORMAT || !isPageSize(pageSize)) return null
  const sum = new RunningChecksum((magic & 1) === 0)
  sum.add(header, 0, 24)
  if (!sum.equals(header, 24)) return null
  return readFrames(wal, header, pageSize, sum)
}

export function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0
}

function readFrames(
  wal: ByteSource,
  header: Buffer,
  pageSize: number,
  sum: RunningChecksum,
): WalPages | null {
  const frameBytes = FRAME_HEADER_BYTES + pageSize
  const chunk = Buffer.allocUnsafeSlow(Math.max(1, Math.floor(CHUNK_BYTES / frameBytes)) * frameBytes)
  const places = new Map<number, number>()
  let open: [page: number, place: number][] = []
  let pageCount = 0
  let position = WAL_HEADER_BYTES
  for (;;) {
    const length = wal.read(chunk, position)
    for (let frame = 0; frame + frameBytes <= length; frame += frameBytes) {
      const page = chunk.readUInt32BE(frame)
      if (page === 0 || chunk.compare(header, 16, 24, frame + 8, frame + 16) !== 0) return result()
      sum.add(chunk, frame, 8)
      sum.add(chunk, frame + FRAME_HEADER_BYTES, pageSize)
      if (!sum.equals(chunk, frame + 16)) return result()
      open.push([page, position + frame + FRAME_HEADER_BYTES])
      const committed = chunk.readUInt32BE(frame + 4)
      if (committed === 0) continue
      for (const [committedPage, place] of open) places.set(committedPage, place)
      open = []
      pageCount = committed
    }
    if (length < chunk.length) return result()
    position += length
  }

  function result(): WalPages | null {
    return pageCount === 0 ? null : { pageSize, places, pageCount }
  }
}

class RunningChecksum {
  readonly #isLittleEndian: boolean
  #first = 0
  #second = 0

  constructor(isLittleEndian: boolean) {
    this.#isLittleEndian = isLittleEndian
  }

  add(bytes: Buffer, start: number, length: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, length)
    let first = this.#first
    let second = this.#second
    for (let offset = 0; offset < length; offset += 8) {
      first = (first + view.getInt32(offset, this.#isLittleEndian) + second) | 0
      second = (second + view.getInt32(offset + 4, this.#isLittleEndian) + first) | 0
    }
    this.#first = first
    this.#second = second
  }

  equals(bytes: Buffer, offset: number): boolean {
    return bytes.readInt32BE(offset) === this.#first && bytes.readInt32BE(offset + 4) === this.#second
  }
}
