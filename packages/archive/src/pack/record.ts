import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** bundle: chunks of files; notes: what the chunks are, as JSON. */
export const RECORD_KINDS = { bundle: 1, notes: 2 } as const

export const RECORD_MAGIC = Buffer.from('GDk\u0001', 'latin1')
export const RECORD_HEAD_BYTES = 36
/** More is no record of ours: a bundle is far smaller. */
const MAX_STORED_BYTES = 256 * 1024 * 1024
const SEAL_BYTES = 16

export interface RecordHead {
  kind: number
  codec: number
  /** Of the body, before it was compressed. */
  rawBytes: number
  /** Of what follows the head. */
  storedBytes: number
  seal: Buffer
}

/** magic 4 · kind 1 · codec 1 · nothing 2 · raw bytes 4 · stored bytes 4 · SHA-256 of what follows, its first 16 · CRC-32 of all that */
export function writeRecord(
  { kind, codec, rawBytes }: Pick<RecordHead, 'kind' | 'codec' | 'rawBytes'>,
  stored: readonly Uint8Array[],
): Buffer {
  const head = Buffer.alloc(RECORD_HEAD_BYTES)
  RECORD_MAGIC.copy(head)
  head.writeUInt8(kind, 4)
  head.writeUInt8(codec, 5)
  head.writeUInt32LE(rawBytes, 8)
  head.writeUInt32LE(
    stored.reduce((sum, { length }) => sum + length, 0),
    12,
  )
  sealOf(stored).copy(head, 16)
  head.writeUInt32LE(crc32(head.subarray(0, 32)), 32)
  return Buffer.concat([head, ...stored])
}

/** null: no head of a record stands here. */
export function readRecordHead(bytes: Buffer): RecordHead | null {
  if (bytes.length < RECORD_HEAD_BYTES || !bytes.subarray(0, 4).equals(RECORD_MAGIC)) return null
  if (crc32(bytes.subarray(0, 32)) !== bytes.readUInt32LE(32)) return null
  const storedBytes = bytes.readUInt32LE(12)
  if (storedBytes > MAX_STORED_BYTES) return null
  return {
    kind: bytes.readUInt8(4),
    codec: bytes.readUInt8(5),
    rawBytes: bytes.readUInt32LE(8),
    storedBytes,
    seal: Buffer.from(bytes.subarray(16, 32)),
  }
}

export function isSealedBy({ seal }: RecordHead, stored: Uint8Array): boolean {
  return sealOf([stored]).equals(seal)
}

function sealOf(parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest().subarray(0, SEAL_BYTES)
}
