import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ENTRY_BYTES, type Recipe, readRecipe } from './content.ts'

export interface FoundRecord {
  head: RecordHead
  /** Of the head, in the pack. */
  offset: number
  stored: Buffer
}

interface PackScan {
  /** After the last whole record, where the next one goes. */
  end: number
  /** It is followed by an unfinished record: the writer was stopped. */
  isTorn: boolean
  /** Where there is something other than a whole record, although whole ones follow or nothing is missing. */
  damaged: number[]
}

const SEARCH_BYTES = 1024 * 1024

/**
 * Reads the records of a pack from `start` on, each verified by its seal. Damaged ones are skipped, and the records after them found. A
 * damaged record is torn only if no whole one follows.
 */
export function scanPack(
  descriptor: number,
  { start, sizeBytes }: { start: number; sizeBytes: number },
  onRecord: (record: FoundRecord) => void,
): PackScan {
  const damaged: number[] = []
  let offset = start
  let end = start
  while (offset < sizeBytes) {
    const head = readRecordHead(readAt(descriptor, offset, RECORD_HEAD_BYTES))
    const next = head === null ? null : offset + RECORD_HEAD_BYTES + head.storedBytes
    if (head === null || next === null || next > sizeBytes) {
      const found = findRecord(descriptor, offset + 1, sizeBytes)
      if (found === null) return { end, isTorn: true, damaged }
      damaged.push(offset)
      offset = found
      continue
    }
    const stored = readAt(descriptor, offset + RECORD_HEAD_BYTES, head.storedBytes)
    if (isSealedBy(head, stored)) onRecord({ head, offset, stored })
    else damaged.push(offset)
    offset = next
    end = next
  }
  return { end, isTorn: false, damaged }
}

/** The next record head whose body is complete; null if none. */
function findRecord(descriptor: number, start: number, sizeBytes: number): number | null {
  for (let from = start; from < sizeBytes; from += SEARCH_BYTES) {
    // a head that begins in this piece also ends in it
    const piece = readAt(descriptor, from, SEARCH_BYTES + RECORD_HEAD_BYTES)
    for (let at = piece.indexOf(RECORD_MAGIC); at !== -1; at = piece.indexOf(RECORD_MAGIC, at + 1)) {
      const head = readRecordHead(piece.subarray(at, at + RECORD_HEAD_BYTES))
      if (head !== null && from + at + RECORD_HEAD_BYTES + head.storedBytes <= sizeBytes) return from + at
    }
  }
  return null
}

/** Returns fewer bytes if the file ends before. */
export function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const read = readSync(descriptor, bytes, filled, length - filled, position + filled)
    if (read === 0) break
    filled += read
  }
  return bytes.subarray(0, filled)
}

/** bundle: chunks of files; notes: what the chunks are for, as JSON. */
export const RECORD_KINDS = { bundle: 1, notes: 2 } as const

const RECORD_MAGIC = Buffer.from('GDk\u0001', 'latin1')
export const RECORD_HEAD_BYTES = 36
/** A larger record is not ours: bundles are far smaller. */
const MAX_STORED_BYTES = 256 * 1024 * 1024
const SEAL_BYTES = 16

export interface RecordHead {
  kind: number
  codec: number
  /** Of the body, before compression. */
  rawBytes: number
  /** Length of the body. */
  storedBytes: number
  seal: Buffer
}

/** magic 4 · kind 1 · codec 1 · reserved 2 · raw bytes 4 · stored bytes 4 · first 16 bytes of the body's SHA-256 · CRC-32 of all that */
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

/** null: not a record head. */
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

const COUNT_BYTES = 4

/** Stored bytes of a bundle: number of chunks, their hashes and sizes in order, then all of them compressed together. */
export function bundleParts(recipe: Recipe, compressed: Uint8Array): Uint8Array[] {
  const count = Buffer.alloc(COUNT_BYTES)
  count.writeUInt32LE(recipe.length / ENTRY_BYTES)
  return [count, recipe, compressed]
}

/** null: not a bundle. */
export function readBundle(stored: Buffer): { recipe: Recipe; compressed: Buffer } | null {
  if (stored.length < COUNT_BYTES) return null
  const end = COUNT_BYTES + stored.readUInt32LE(0) * ENTRY_BYTES
  if (end > stored.length) return null
  return { recipe: stored.subarray(COUNT_BYTES, end), compressed: stored.subarray(end) }
}

/** Where each chunk is stored. */
export class ChunkTable {
  #bundles: PackPosition[] = []
  #chunks = new Map<string, number>()

  find(hash: string): PackPosition | null {
    const bundle = this.#chunks.get(hash)
    return bundle === undefined ? null : (this.#bundles[bundle] ?? null)
  }

  /** Of several positions the last one counts: the earlier one was damaged. */
  add(position: PackPosition, recipe: Recipe): void {
    this.#bundles.push(position)
    for (const { hash } of readRecipe(recipe)) this.#chunks.set(hash, this.#bundles.length - 1)
  }

  /** The packs with stored chunks. */
  packs(): Set<number> {
    return new Set([...this.#chunks.values()].flatMap((bundle) => this.#bundles[bundle]?.pack ?? []))
  }

  /** Replaces the known contents of this pack; all other chunks in it are gone. Returns whether a chunk no longer exists anywhere. */
  settle(pack: number, found: readonly { offset: number; recipe: Recipe }[]): boolean {
    const missing = new Set<string>()
    for (const [hash, bundle] of this.#chunks) if (this.#bundles[bundle]?.pack === pack) missing.add(hash)
    for (const hash of missing) this.#chunks.delete(hash)
    for (const { offset, recipe } of found) {
      this.#bundles.push({ pack, offset })
      for (const { hash } of readRecipe(recipe)) {
        missing.delete(hash)
        if (!this.#chunks.has(hash)) this.#chunks.set(hash, this.#bundles.length - 1)
      }
    }
    return missing.size > 0
  }

  /** Leaves out bundles without any current chunks. */
  store(): { bundles: [number, number][]; chunks: Map<string, number> } {
    const places = new Map<number, number>()
    const bundles: [number, number][] = []
    const chunks = new Map<string, number>()
    for (const [hash, bundle] of this.#chunks) {
      const position = this.#bundles[bundle]
      if (position === undefined) continue
      const place = places.get(bundle) ?? bundles.push([position.pack, position.offset]) - 1
      places.set(bundle, place)
      chunks.set(hash, place)
    }
    return { bundles, chunks }
  }

  restore({ bundles, chunks }: ReturnType<ChunkTable['store']>): void {
    this.#bundles = bundles.map(([pack, offset]) => ({ pack, offset }))
    this.#chunks = chunks
  }
}

/** A pack of this size is not appended to any more: changed packs are verified again, which has to stay fast. */
const FULL_PACK_BYTES = 32 * 1024 * 1024

export interface NextPack {
  pack: number
  /** Its first record. */
  record: Buffer
}

export interface PackPosition {
  pack: number
  offset: number
}

/** Appends records to the last pack; starts a new one after an unfinished record of a stopped writer. */
export class PackWriter {
  readonly #packs: PackFolder
  #open: { descriptor: number; pack: number; end: number } | null = null
  /** The last pack, and its end; null: start a new one. */
  #next: PackPosition | null
  #hasUnsynced = false
  readonly #begin: () => NextPack

  /** `begin`: called when a new pack has to be started. */
  constructor(packs: PackFolder, next: PackPosition | null, begin: () => NextPack) {
    this.#packs = packs
    this.#next = next
    this.#begin = begin
  }

  /** @throws on a system error; a partial write is undone */
  append(record: Uint8Array): PackPosition {
    const open = this.#openPack()
    const offset = open.end
    // After a long sleep, a machine may have lost its lock without noticing.
    if (fstatSync(open.descriptor).size !== offset)
      throw new Error(`another process has written to ${this.#packs.path(open.pack)} meanwhile`)
    this.#hasUnsynced = true
    try {
      writeAll(open.descriptor, record, offset)
    } catch (error) {
      takeBack(open.descriptor, offset)
      throw error
    }
    open.end = offset + record.length
    return { pack: open.pack, offset }
  }

  /** Makes what was appended durable. */
  sync(): void {
    if (this.#hasUnsynced && this.#open !== null) fsyncSync(this.#open.descriptor)
    this.#hasUnsynced = false
  }

  close(): void {
    if (this.#open === null) return
    this.sync()
    closeSync(this.#open.descriptor)
    this.#open = null
  }

  #openPack(): { descriptor: number; pack: number; end: number } {
    if (this.#open !== null && this.#open.end >= FULL_PACK_BYTES) {
      this.close()
      this.#next = null
    }
    this.#open ??= this.#openLast() ?? this.#beginPack()
    return this.#open
  }

  #openLast(): { descriptor: number; pack: number; end: number } | null {
    if (this.#next === null || this.#next.offset >= FULL_PACK_BYTES) return null
    const { pack, offset } = this.#next
    return { descriptor: openSync(this.#packs.path(pack), 'r+'), pack, end: offset }
  }

  #beginPack(): { descriptor: number; pack: number; end: number } {
    this.#packs.create()
    const { pack, record } = this.#begin()
    const descriptor = openSync(this.#packs.path(pack), 'wx', 0o600)
    try {
      const end = writeAll(descriptor, Buffer.concat([PACK_TITLE, record]), 0)
      this.#hasUnsynced = true
      return { descriptor, pack, end }
    } catch (error) {
      closeSync(descriptor)
      rmSync(this.#packs.path(pack), { force: true })
      throw error
    }
  }
}

function takeBack(descriptor: number, offset: number): void {
  try {
    ftruncateSync(descriptor, offset)
  } catch {
    // It remains as unfinished, and the next writer starts a new pack.
  }
}

/** Each pack starts with this text, which identifies it to anyone who finds one. */
export const PACK_TITLE = Buffer.from('gemini-dash archive, packed files, 1\n')

const PACK_FILE = /^(\d{6})\.pack$/

/** The record with the name of a pack is shorter. */
const MOST_NAME_BYTES = 1024

/** The numbered files of an archive with all its data, written one after the other and never changed. */
export class PackFolder {
  readonly #folder: string

  constructor(archiveFolder: string) {
    this.#folder = join(archiveFolder, 'packs')
  }

  create(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  path(pack: number): string {
    return join(this.#folder, `${String(pack).padStart(6, '0')}.pack`)
  }

  /** Offset of the first record in each. */
  get start(): number {
    return PACK_TITLE.length
  }

  /** Its first record, possibly truncated. null if none. */
  firstRecord(pack: number): { head: RecordHead; stored: Buffer } | null {
    if (!existsSync(this.path(pack))) return null
    return this.withPack(pack, (descriptor) => {
      const head = readRecordHead(readAt(descriptor, PACK_TITLE.length, RECORD_HEAD_BYTES))
      if (head === null) return null
      const sizeBytes = Math.min(head.storedBytes, MOST_NAME_BYTES)
      return { head, stored: readAt(descriptor, PACK_TITLE.length + RECORD_HEAD_BYTES, sizeBytes) }
    })
  }

  /** In order of writing; empty if nothing was archived yet. */
  list(): number[] {
    try {
      return readdirSync(this.#folder)
        .flatMap((name) => PACK_FILE.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return []
      throw error
    }
  }

  /** Changes with every write to the pack, by any process. */
  identity(pack: number): string {
    const { size, mtimeNs, ctimeNs, ino } = statSync(this.path(pack), { bigint: true })
    return `${size} ${mtimeNs} ${ctimeNs} ${ino}`
  }

  sizeBytes(): number {
    return this.sizes().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }

  /** In order of writing. */
  sizes(): { name: string; sizeBytes: number }[] {
    return this.list().map((pack) => {
      const path = this.path(pack)
      return { name: basename(path), sizeBytes: statSync(path).size }
    })
  }

  /** `start` 0: from its beginning. */
  scan(pack: number, start: number, onRecord: (record: FoundRecord) => void): PackScan {
    return this.withPack(pack, (descriptor) => {
      const { size } = statSync(this.path(pack))
      if (start > PACK_TITLE.length) return scanPack(descriptor, { start, sizeBytes: size }, onRecord)
      const title = readAt(descriptor, 0, PACK_TITLE.length)
      if (title.length < PACK_TITLE.length) return { end: 0, isTorn: true, damaged: [] }
      const scan = scanPack(descriptor, { start: PACK_TITLE.length, sizeBytes: size }, onRecord)
      return title.equals(PACK_TITLE) ? scan : { ...scan, damaged: [0, ...scan.damaged] }
    })
  }

  withPack<Result>(pack: number, work: (descriptor: number) => Result): Result {
    const descriptor = openSync(this.path(pack), 'r')
    try {
      return work(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}

/** Replaces a file atomically and durably. @throws if that fails; the old file remains */
export function writeDurably(path: string, parts: readonly Uint8Array[]): void {
  const unfinished = `${path}.new`
  try {
    writeFileSync(unfinished, '', { mode: 0o600 })
    const descriptor = openSync(unfinished, 'r+')
    try {
      let position = 0
      for (const part of parts) position = writeAll(descriptor, part, position)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** Returns the end position. */
export function writeAll(descriptor: number, bytes: Uint8Array, position: number): number {
  let written = 0
  while (written < bytes.length)
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written)
  return position + written
}

/** Number of packs verified again at a time: each takes a tenth of a second. */
const MOST_PROVEN_AGAIN = 2
/** Disks lose bits silently: unchanged packs are verified again after this time. */
const PROOF_LASTS_MS = 30 * 24 * 60 * 60 * 1000

interface Proof {
  /** `PackFolder.identity` before it was read. */
  identity: string
  provenMs: number
  /** Positions without a whole record. */
  damaged: number[]
  /** Where its last whole record ended. */
  end: number
}

/** Which packs were fully read, so that not all have to be read each time. */
export class PackProofs {
  readonly #packs: PackFolder
  #proofs = new Map<number, Proof>()

  constructor(packs: PackFolder) {
    this.#packs = packs
  }

  /** Packs changed by other processes since, and those not read for a long time. */
  due(packs: readonly number[], nowMs: number): number[] {
    let provenAgain = 0
    return packs.filter((pack) => {
      const proof = this.#proofs.get(pack)
      if (proof?.identity !== this.#packs.identity(pack)) return true
      return nowMs - proof.provenMs >= PROOF_LASTS_MS && provenAgain++ < MOST_PROVEN_AGAIN
    })
  }

  find(pack: number): Proof | null {
    return this.#proofs.get(pack) ?? null
  }

  set(pack: number, proof: Proof): void {
    this.#proofs.set(pack, proof)
  }

  /** What this process appended needs no verification; earlier changes by others are detected by `due`. */
  trust(pack: number, end: number, nowMs: number): void {
    const proof = this.#proofs.get(pack)
    this.#proofs.set(pack, {
      identity: this.#packs.identity(pack),
      provenMs: proof?.provenMs ?? nowMs,
      damaged: proof?.damaged ?? [],
      end,
    })
  }

  clear(): void {
    this.#proofs.clear()
  }

  store(): [number, string, number, number[], number][] {
    return [...this.#proofs].map(([pack, { identity, provenMs, damaged, end }]) => [
      pack,
      identity,
      provenMs,
      damaged,
      end,
    ])
  }

  /** Entries from before `end` was stored are ignored. */
  restore(proofs: readonly (readonly [number, string, number, number[], ...number[]])[]): void {
    this.#proofs = new Map(
      proofs.flatMap(([pack, identity, provenMs, damaged, end]) =>
        end === undefined ? [] : [[pack, { identity, provenMs, damaged, end }] as const],
      ),
    )
  }
}
