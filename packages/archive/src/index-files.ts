import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { storedFileSchema } from './manifest.ts'
import {
  type FoundRecord,
  RECORD_HEAD_BYTES,
  RECORD_KINDS,
  readBundle,
  readRecordHead,
  scanPack,
  writeAll,
  writeDurably,
  writeRecord,
} from './pack.ts'

/** Two identical copies, so that damage to one costs nothing. */
const NAMES = ['index', 'index.copy'] as const
/** Records of an index; those of packs have other kinds. */
const CONTENT_KIND = 3
const PROOFS_KIND = 5
const HASH_BYTES = 32
const PLACE_BYTES = 4

/** For each pack: its identity when last verified, when that was, where it was damaged, and where its last whole record ended. */
const proofsSchema = z.array(z.tuple([z.number(), z.string(), z.number(), z.array(z.number())], z.number()))

const contentSchema = z.object({
  archiveId: z.string(),
  files: z.array(storedFileSchema),
  lastLooked: z.string().nullable(),
  /** Known damaged places in packs, from which everything possible was saved. */
  repaired: z.array(z.string()).default([]),
  /** It was rebuilt from the packs, because both copies were lost: it is unknown whether the packs lacked something. */
  isDoubtful: z.boolean().default(false),
  /** Pack and offset of each bundle. */
  bundles: z.array(z.tuple([z.number(), z.number()])),
  /** Where each pack ended, and the seal of its first record. */
  ends: z.array(z.tuple([z.number(), z.number()], z.string().nullable())),
  proofs: proofsSchema,
})
type IndexContent = z.infer<typeof contentSchema> & {
  /** Position of each chunk: index of its bundle in `bundles`. */
  chunks: Map<string, number>
}

interface ReadIndex {
  /** null: neither copy could be read. */
  content: IndexContent | null
  /** Records written to packs since, according to the copies. */
  mirrored: MirroredRecord[]
  /** Both copies are intact. */
  isWhole: boolean
}

/**
 * An index of the packs, separate from them: it records what a damaged pack has lost. The complete content, followed by records written to
 * packs since. If lost or damaged, it is rebuilt from the packs.
 */
export class IndexFiles {
  readonly #paths: readonly [string, string]
  /** Where to append to each, as long as no other process has written to it. */
  #ends: (Place | null)[] = NAMES.map(() => null)
  #contentBytes = 0
  #appendedBytes = 0

  constructor(archiveFolder: string) {
    this.#paths = [join(archiveFolder, NAMES[0]), join(archiveFolder, NAMES[1])]
  }

  /** Only with one of these `ids`; null: of any archive. */
  read(ids: readonly string[] | null): ReadIndex {
    const copies = readCopies(this.#paths)
    const own = copies.map((copy) =>
      copy !== null && (ids === null || ids.includes(copy.content.archiveId)) ? copy : null,
    )
    this.#ends = own.map((copy) => copy?.place ?? null)
    const found = own.filter((copy) => copy !== null)
    const [best, other] = found.sort((a, b) => reachOf(b) - reachOf(a))
    this.#contentBytes = best?.contentBytes ?? 0
    this.#appendedBytes = (best?.sizeBytes ?? 0) - this.#contentBytes
    return {
      content: best?.content ?? null,
      mirrored: [...(best?.mirrored ?? []), ...(other?.mirrored ?? [])],
      isWhole: this.canAppend() && reachOf(best) === reachOf(other),
    }
  }

  /** Ids of the archives that the existing copies belong to. */
  ids(): string[] {
    return readCopies(this.#paths).flatMap((copy) => copy?.content.archiveId ?? [])
  }

  /** Both copies are as this process read or wrote them. */
  canAppend(): boolean {
    return this.#ends.every((place, copy) => place !== null && isSamePlace(place, placeOf(this.#paths[copy])))
  }

  /** A rewrite is due: reading the appended part takes longer than the rest. */
  isLong(): boolean {
    return this.#appendedBytes > Math.max(MOST_APPENDED_BYTES, this.#contentBytes / 2)
  }

  /** @throws on a system error; each copy then has its old or its new content, and they may differ */
  write({ chunks, ...content }: IndexContent): void {
    const json = Buffer.from(JSON.stringify(content))
    const length = Buffer.alloc(PLACE_BYTES)
    length.writeUInt32LE(json.length)
    const parts = [length, json, writeChunks(chunks)]
    const rawBytes = parts.reduce((sum, part) => sum + part.length, 0)
    const record = writeRecord({ kind: CONTENT_KIND, codec: 0, rawBytes }, parts)
    for (const [copy, path] of this.#paths.entries()) {
      this.#ends[copy] = null
      writeDurably(path, [record])
      this.#ends[copy] = placeOf(path)
    }
    this.#contentBytes = record.length
    this.#appendedBytes = 0
  }

  /** @throws as `append` does */
  appendProofs(proofs: IndexContent['proofs']): void {
    const stored = Buffer.from(JSON.stringify(proofs))
    const record = writeRecord({ kind: PROOFS_KIND, codec: 0, rawBytes: stored.length }, [stored])
    // if lost in a power failure, they are made again
    this.append([record], { isDurable: false })
  }

  /** @throws on a system error; a partial write is undone */
  append(records: readonly Buffer[], { isDurable } = { isDurable: true }): void {
    const bytes = Buffer.concat(records)
    for (const [copy, path] of this.#paths.entries()) {
      const { sizeBytes } = this.#ends[copy] ?? { sizeBytes: 0 }
      const descriptor = openSync(path, 'r+')
      this.#ends[copy] = null
      try {
        writeAll(descriptor, bytes, sizeBytes)
        if (isDurable) fsyncSync(descriptor)
        const { ino } = fstatSync(descriptor)
        this.#ends[copy] = { inode: ino, sizeBytes: sizeBytes + bytes.length }
      } catch (error) {
        ftruncateSync(descriptor, sizeBytes)
        throw error
      } finally {
        closeSync(descriptor)
      }
    }
    this.#appendedBytes += bytes.length
  }

  storedBytes(): number {
    return this.#paths.reduce((sum, path) => sum + (placeOf(path)?.sizeBytes ?? 0), 0)
  }
}

/** Some hundred notes, which are read in a hundredth of a second. */
const MOST_APPENDED_BYTES = 64 * 1024

interface Place {
  inode: number
  sizeBytes: number
}

function placeOf(path: string | undefined): Place | null {
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? null : { inode: stats.ino, sizeBytes: stats.size }
}

function isSamePlace(place: Place, other: Place | null): boolean {
  return place.inode === other?.inode && place.sizeBytes === other.sizeBytes
}

interface Copy {
  content: IndexContent
  mirrored: MirroredRecord[]
  contentBytes: number
  sizeBytes: number
  /** null: part of it is damaged or unfinished, so nothing may be appended. */
  place: Place | null
}

/** How much of the packs it covers. */
function reachOf(copy: Copy | undefined): number {
  if (copy === undefined) return -1
  const ends = new Map(copy.content.ends.map(([pack, end]) => [pack, end]))
  for (const { pack, end } of copy.mirrored) ends.set(pack, Math.max(end, ends.get(pack) ?? 0))
  return [...ends.values()].reduce((sum, end) => sum + end, 0)
}

/** If both copies are equal, only one is parsed. */
function readCopies([path, otherPath]: readonly [string, string]): [Copy | null, Copy | null] {
  const copy = readCopy(path)
  const place = placeOf(otherPath)
  if (copy?.place == null || place === null || !readFileSync(path).equals(readFileSync(otherPath)))
    return [copy, readCopy(otherPath)]
  return [copy, { ...copy, place }]
}

/** null: it does not exist, or it is damaged. */
function readCopy(path: string): Copy | null {
  try {
    const descriptor = openSync(path, 'r')
    try {
      return readRecords(descriptor) ?? readEarlier(readFileSync(descriptor))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}

function readRecords(descriptor: number): Copy | null {
  const { ino, size } = fstatSync(descriptor)
  const contents: IndexContent[] = []
  let contentBytes = 0
  const mirrored: MirroredRecord[] = []
  const proofs: IndexContent['proofs'] = []
  const scan = scanPack(descriptor, { start: 0, sizeBytes: size }, ({ head, offset, stored }) => {
    if (head.kind === CONTENT_KIND) {
      contents.push(parseContent(stored))
      contentBytes = offset + stored.length
    } else if (head.kind === PROOFS_KIND) proofs.push(...proofsSchema.parse(JSON.parse(stored.toString())))
    else if (head.kind === MIRRORED_KIND && isMirrored(stored)) mirrored.push(openMirrored(stored))
  })
  const content = contents.at(-1)
  if (content === undefined) return null
  const isWhole = !scan.isTorn && scan.damaged.length === 0
  return {
    content: { ...content, proofs: [...content.proofs, ...proofs] },
    mirrored,
    contentBytes,
    sizeBytes: scan.end,
    place: isWhole ? { inode: ino, sizeBytes: size } : null,
  }
}

/** The format before there were two copies: only the content, followed by a checksum. */
function readEarlier(bytes: Buffer): Copy | null {
  const body = bytes.subarray(0, -HASH_BYTES)
  if (!createHash('sha256').update(body).digest().equals(bytes.subarray(-HASH_BYTES))) return null
  const content = parseContent(body)
  return { content, mirrored: [], contentBytes: bytes.length, sizeBytes: bytes.length, place: null }
}

/** @throws if it is invalid */
function parseContent(body: Buffer): IndexContent {
  const jsonEnd = PLACE_BYTES + body.readUInt32LE(0)
  const content = contentSchema.parse(JSON.parse(body.toString('utf8', PLACE_BYTES, jsonEnd)))
  return { ...content, chunks: readChunks(body.subarray(jsonEnd)) }
}

function writeChunks(chunks: ReadonlyMap<string, number>): Buffer {
  const bytes = Buffer.allocUnsafe(chunks.size * (HASH_BYTES + PLACE_BYTES))
  let at = 0
  for (const [hash, place] of chunks) {
    bytes.write(hash, at, 'latin1')
    bytes.writeUInt32LE(place, at + HASH_BYTES)
    at += HASH_BYTES + PLACE_BYTES
  }
  return bytes
}

function readChunks(bytes: Buffer): Map<string, number> {
  const chunks = new Map<string, number>()
  for (let at = 0; at < bytes.length; at += HASH_BYTES + PLACE_BYTES)
    chunks.set(bytes.toString('latin1', at, at + HASH_BYTES), bytes.readUInt32LE(at + HASH_BYTES))
  return chunks
}

const MIRRORED_KIND = 4
const MIRRORED_PLACE_BYTES = 8

/** A record of a pack, without the content of files. */
export interface MirroredRecord extends FoundRecord {
  pack: number
  /** Its end in the pack. */
  end: number
}

/** The index entry for a record written to a pack: notes unchanged, for a bundle its recipe. */
export function mirrorRecord(pack: number, offset: number, record: Buffer): Buffer {
  const place = Buffer.alloc(MIRRORED_PLACE_BYTES)
  place.writeUInt32LE(pack)
  place.writeUInt32LE(offset, 4)
  const head = record.subarray(0, RECORD_HEAD_BYTES)
  const stored = record.subarray(RECORD_HEAD_BYTES)
  const bundle = readRecordHead(record)?.kind === RECORD_KINDS.bundle ? readBundle(stored) : null
  const own = bundle === null ? stored : stored.subarray(0, stored.length - bundle.compressed.length)
  const rawBytes = place.length + head.length + own.length
  return writeRecord({ kind: MIRRORED_KIND, codec: 0, rawBytes }, [place, head, own])
}

function isMirrored(stored: Buffer): boolean {
  return (
    stored.length >= MIRRORED_PLACE_BYTES + RECORD_HEAD_BYTES &&
    readRecordHead(stored.subarray(MIRRORED_PLACE_BYTES)) !== null
  )
}

/** @throws if `isMirrored` is false for it */
function openMirrored(bytes: Buffer): MirroredRecord {
  const head = readRecordHead(bytes.subarray(MIRRORED_PLACE_BYTES))
  if (head === null) throw new Error('It is no mirrored record')
  const [pack, offset] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)]
  const stored = bytes.subarray(MIRRORED_PLACE_BYTES + RECORD_HEAD_BYTES)
  return { head, pack, offset, stored, end: offset + RECORD_HEAD_BYTES + head.storedBytes }
}
