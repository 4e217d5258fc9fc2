import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** So much of a file is one gzip member: as much as one flipped bit can cost, and as has to be read to show a page. */
export const MEMBER_BYTES = 1024 * 1024
const HEAD_BYTES = 10
const TAIL_BYTES = 8
/** Of large pieces: costs the processor time of brotli at quality 3, and 4 % more room than level 6. Small ones cost little. */
const levelOf = (raw: Uint8Array) => Number(process.env['GZIP_LEVEL'] ?? (raw.length <= 128 * 1024 ? 9 : 4))

/** One gzip member of a kept file, as the index notes it. */
export interface Member {
  storedBytes: number
  rawBytes: number
  /** CRC-32 of the stored bytes: proven without inflating. */
  crc: number
  /** 96 bits of the SHA-256 of what it holds: a home's file is compared by it. */
  hash: string
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}

const gzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gzip)

/** In Node's threads. */
export async function pack(raw: Uint8Array): Promise<{ member: Member; stored: Buffer }> {
  const stored = await gzip(raw, { level: levelOf(raw), memLevel: 9 })
  return { stored, member: describe(raw, stored) }
}

function describe(raw: Uint8Array, stored: Uint8Array): Member {
  return { storedBytes: stored.length, rawBytes: raw.length, crc: zlib.crc32(stored), hash: hashOf(raw) }
}

/** null: these bytes are not the member that was noted. */
export function unpack(stored: Uint8Array, member: Member): Buffer | null {
  try {
    if (zlib.crc32(stored) !== member.crc) return null
    const raw = zlib.gunzipSync(stored, { maxOutputLength: Math.max(member.rawBytes, 1) })
    return hashOf(raw) === member.hash ? raw : null
  } catch {
    return null
  }
}

/** What can still be read of a member whose end is missing. */
export function unpackBeginning(stored: Uint8Array): Buffer {
  try {
    return zlib.gunzipSync(stored, { finishFlush: zlib.constants.Z_SYNC_FLUSH })
  } catch {
    return Buffer.alloc(0)
  }
}

/** Whole members of a file that no index tells of, and how many bytes of it are in none. */
export function findMembers(bytes: Buffer): { members: Member[]; starts: number[]; strayBytes: number } {
  const members: Member[] = []
  const starts: number[] = []
  let strayBytes = 0
  for (let at = 0; at < bytes.length; ) {
    const length = memberLength(bytes.subarray(at))
    if (length !== null) {
      const stored = bytes.subarray(at, at + length)
      members.push(describe(zlib.gunzipSync(stored), stored))
      starts.push(at)
      at += length
      continue
    }
    const next = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]), at + 1)
    strayBytes += (next === -1 ? bytes.length : next) - at
    if (next === -1) break
    at = next
  }
  return { members, starts, strayBytes }
}

/** null: no whole member begins here. */
function memberLength(bytes: Buffer): number | null {
  if (bytes.length < HEAD_BYTES + TAIL_BYTES || bytes.readUInt32BE(0) !== 0x1f8b0800) return null
  try {
    const inflated = zlib.inflateRawSync(bytes.subarray(HEAD_BYTES), { info: true } as zlib.ZlibOptions)
    const { buffer, engine } = inflated as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    const end = HEAD_BYTES + engine.bytesWritten
    const isWhole =
      end + TAIL_BYTES <= bytes.length &&
      bytes.readUInt32LE(end) === zlib.crc32(buffer) &&
      bytes.readUInt32LE(end + 4) === buffer.length % 2 ** 32
    return isWhole ? end + TAIL_BYTES : null
  } catch {
    return null
  }
}
