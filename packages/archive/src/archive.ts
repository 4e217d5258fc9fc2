import { createHash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { decompress, type Recipe, readRecipe, UnknownCodec } from './content.ts'
import { IndexFiles, type MirroredRecord } from './index-files.ts'
import {
  addedChunk,
  type KeptFile,
  type KeptVersion,
  Manifest,
  type Note,
  type PackBeginning,
  readBeginning,
  unpackNotes,
} from './manifest.ts'
import {
  ChunkTable,
  type FoundRecord,
  PackFolder,
  type PackPosition,
  PackProofs,
  RECORD_HEAD_BYTES,
  RECORD_KINDS,
  type RecordHead,
  readAt,
  readBundle,
  readRecordHead,
  writeDurably,
} from './pack.ts'

/** While this exists, packs are being rewritten without forgotten files. */
export const FORGET_JOURNAL = 'forgetting.json'

interface PackEnd {
  /** Where it ends, according to packs and index. */
  end: number
  /** `PackBeginning`, to check that the file is that pack. null: unknown. */
  name: string | null
}

/** What is wrong with an archive and was not repaired. */
export interface ArchiveDamage {
  /** Versions that cannot be restored. */
  versions: { file: KeptFile; version: KeptVersion; number: number }[]
  /** Where packs are damaged, truncated, missing, or replaced by other files. */
  places: string[]
  /** `archive.json` is missing or damaged. */
  isTitleLost: boolean
  /** Both copies of the index were lost, so it is unknown whether the packs lack something. */
  isDoubtful: boolean
}

/**
 * Files by content, in one folder: every version of each, in chunks that are stored once. Knows nothing about the meaning of the files.
 * Packs are append-only. The index records their contents, so that it is known what a damaged pack has lost.
 */
export class Archive {
  readonly folder: string
  readonly packs: PackFolder
  readonly proofs: PackProofs
  chunks = new ChunkTable()
  manifest = new Manifest()
  readonly #titleFile: TitleFile
  readonly #index: IndexFiles
  #title: Title = { state: 'missing', id: null, was: null }
  /** null: nothing was read yet. */
  #id: string | null = null
  #ends = new Map<number, PackEnd>()
  /** Files with the name of a pack that are another pack, or a copy. */
  #foreign = new Set<number>()
  /** Records in the index beyond the point where packs were read. */
  #mirrored = new Map<number, MirroredRecord[]>()
  /** The packs have records missing from the index, or it cannot be appended to. */
  #isIndexBehind = false
  #isDoubtful = false

  constructor(folder: string) {
    this.folder = folder
    this.packs = new PackFolder(folder)
    this.proofs = new PackProofs(this.packs)
    this.#titleFile = new TitleFile(folder)
    this.#index = new IndexFiles(folder)
  }

  /** Whether anything was ever archived here. */
  exists(): boolean {
    return isArchive(this.folder)
  }

  /** Creates the archive in the folder, or restores its title; the caller has it exclusively. @throws if it cannot be written */
  create(): void {
    const title = this.#readTitle()
    if (title.state === 'whole') return
    const isNew = !this.exists()
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const id = title.id ?? randomUUID()
    if (isNew) this.#index.write({ ...this.#content(), archiveId: id })
    else if (title.state === 'unsealed') {
      // From here on a missing index is reported.
      this.refresh()
      this.saveIndex()
    }
    this.#titleFile.write({ id, was: title.was })
    if (this.#id !== id) this.#id = null
  }

  /** Gives the archive another id, so that all processes read its packs again. */
  renew(): void {
    const was = this.#readTitle().id
    this.#titleFile.write({ id: randomUUID(), was })
    this.#id = null
  }

  /** Reads what any process has added since. @throws if it was written by a later version, or cannot be read */
  refresh(): void {
    const title = this.#readTitle()
    this.#title = title
    const id = this.exists() ? (title.id ?? '') : null
    if (id === null) this.#forgetAll(null)
    else if (id !== this.#id) this.#startAnew(id)
    const packs = this.packs.list()
    // without an index, only the packs themselves record their order
    const isRebuilt = this.#ends.size === 0 && this.#mirrored.size === 0
    const numberOf = (pack: number) => (isRebuilt ? this.#beginning(pack)?.pack : null) ?? pack
    const all = new Set([...packs, ...this.#mirrored.keys()])
    for (const pack of [...all].sort((a, b) => numberOf(a) - numberOf(b)))
      this.#readOn(pack, packs.includes(pack))
  }

  /** Drops its state, to reload it from disk. */
  reset(): void {
    this.#id = null
  }

  /** Position of the next record; null: in a new pack. */
  nextPosition(): PackPosition | null {
    const pack = this.packs.list().at(-1)
    const known = pack === undefined ? undefined : this.#ends.get(pack)
    if (pack === undefined || known === undefined || this.#foreign.has(pack)) return null
    // never append after damage, truncation or an unfinished record
    const proof = this.proofs.find(pack)
    if (proof !== null && (proof.damaged.length > 0 || proof.end < known.end)) return null
    return statSync(this.packs.path(pack)).size === known.end ? { pack, offset: known.end } : null
  }

  /** A number never used for a pack. */
  nextPack(): number {
    return Math.max(0, ...this.packs.list(), ...this.#ends.keys()) + 1
  }

  /** A record appended by this process. */
  learn(pack: number, record: FoundRecord): void {
    this.#take(pack, record)
  }

  /** Whether all chunks of a version exist. */
  isWhole({ recipe }: KeptVersion): boolean {
    return readRecipe(recipe).every(({ hash }) => this.chunks.find(hash) !== null)
  }

  /** Versions with damaged parts: they are reported, and never served. Includes those that a repair gave up. */
  damagedVersions(): ArchiveDamage['versions'] {
    return [...this.manifest.files()].flatMap((file) =>
      file.versions.flatMap((version, number) => (this.isWhole(version) ? [] : [{ file, version, number }])),
    )
  }

  /** Call `prove` before. null: nothing is wrong, or a repair has saved everything possible. */
  damage(): ArchiveDamage | null {
    const versions = this.damagedVersions().filter(({ version }) => version.lost === null)
    const isForgetting = existsSync(join(this.folder, FORGET_JOURNAL))
    const places = isForgetting ? [] : this.places().filter((place) => !this.manifest.repaired.has(place))
    const isBegun = this.packs.list().length > 0 || this.nextPack() > 1
    const isTitleLost = isBegun && (this.#title.state === 'missing' || this.#title.state === 'damaged')
    const isDoubtful = this.#isDoubtful
    if (!this.exists() || (versions.length === 0 && places.length === 0 && !isTitleLost && !isDoubtful))
      return null
    return { versions, places, isTitleLost, isDoubtful }
  }

  /** Where packs differ from what was written: `<pack> <byte>` for damage or truncation, `<pack> missing`, `<pack> another`. */
  places(): string[] {
    const there = new Set(this.packs.list())
    const wanted = Array.from({ length: this.nextPack() - 1 }, (_, place) => place + 1)
    return wanted.flatMap((pack) => {
      if (!there.has(pack)) return [`${pack} missing`]
      const proof = this.proofs.find(pack)
      // another process is writing to it
      if (proof === null || proof.identity !== this.packs.identity(pack)) return []
      const damaged = proof.damaged.map((offset) => `${pack} ${offset}`)
      if (this.#foreign.has(pack)) return [...damaged, `${pack} another`]
      const isCut = proof.end < (this.#ends.get(pack)?.end ?? 0)
      return isCut ? [...damaged, `${pack} ${proof.end}`] : damaged
    })
  }

  /** Verifies packs that others may have changed, and those not verified for a long time; `isThorough`: all of them. */
  prove(nowMs: number, { isThorough = false } = {}): void {
    const packs = this.packs.list()
    const due = isThorough ? packs : this.proofs.due(packs, nowMs)
    const gone = [...this.chunks.packs()].filter((pack) => !packs.includes(pack))
    const isLess = [
      ...gone.map((pack) => this.chunks.settle(pack, [])),
      ...due.map((pack) => this.#prove(pack, nowMs)),
    ].includes(true)
    // content stored twice may be in another one
    if (isLess) for (const pack of packs) this.#prove(pack, nowMs)
  }

  storedBytes(): number {
    return this.packs.sizeBytes() + this.#index.storedBytes()
  }

  /** Must be called after appending to packs, with `mirrorRecord` of each record. @throws if it cannot be written */
  noteWritten(mirrored: readonly Buffer[]): void {
    if (this.#isIndexBehind || !this.#index.canAppend()) this.saveIndex()
    else if (mirrored.length > 0) this.#index.append(mirrored)
  }

  /** Records that these packs are verified, and rewrites the index if it is due. @throws if it cannot be written */
  tidyIndex(packs: readonly number[]): void {
    if (this.#isIndexBehind || this.#index.isLong() || !this.#index.canAppend()) this.saveIndex()
    else if (packs.length > 0)
      this.#index.appendProofs(this.proofs.store().filter(([pack]) => packs.includes(pack)))
  }

  /** Rewrites the index. The caller has the archive exclusively. @throws if it cannot be written */
  saveIndex(): void {
    if (this.#id === null) return
    this.#index.write({ ...this.#content(), archiveId: this.#id })
    this.#isIndexBehind = false
  }

  /** Declares the current knowledge complete, after a repair. */
  settle(): void {
    this.#isDoubtful = false
    this.#isIndexBehind = true
    for (const [pack, { end }] of this.#ends) this.#ends.set(pack, { end, name: this.#nameOf(pack) })
    for (const pack of this.#foreign)
      this.#ends.set(pack, { end: this.proofs.find(pack)?.end ?? 0, name: this.#nameOf(pack) })
    this.#foreign.clear()
  }

  /** The packs were rewritten from everything still known: reads the new positions. */
  relocate(nowMs: number): void {
    const title = this.#readTitle()
    this.#id = title.id
    this.#title = title
    this.chunks = new ChunkTable()
    this.proofs.clear()
    this.#foreign.clear()
    this.#ends.clear()
    for (const pack of this.packs.list()) {
      this.#prove(pack, nowMs)
      const end = this.proofs.find(pack)?.end ?? 0
      this.#ends.set(pack, { end, name: this.#nameOf(pack) })
    }
    this.#isIndexBehind = true
  }

  #content() {
    return {
      files: this.manifest.store(),
      lastLooked: this.manifest.lastLooked,
      repaired: [...this.manifest.repaired],
      isDoubtful: this.#isDoubtful,
      ends: [...this.#ends].map(([pack, { end, name }]): [number, number, string | null] => [
        pack,
        end,
        name,
      ]),
      proofs: this.proofs.store(),
      ...this.chunks.store(),
    }
  }

  /** If so, it is neither read nor written. */
  isOfLaterVersion(): boolean {
    return this.#titleFile.read(() => this.#index.ids()).state === 'later'
  }

  #readTitle(): Title {
    const title = this.#titleFile.read(() => this.#index.ids())
    if (title.state === 'later')
      throw new Error(`${this.folder} was written by a later version of gemini-dash`)
    return title
  }

  #forgetAll(id: string | null): void {
    this.#id = id
    this.#ends = new Map()
    this.#foreign = new Set()
    this.#mirrored = new Map()
    this.chunks = new ChunkTable()
    this.manifest = new Manifest()
    this.proofs.clear()
    this.#isIndexBehind = false
    this.#isDoubtful = false
  }

  #startAnew(id: string): void {
    this.#forgetAll(id)
    const { state, was } = this.#title
    const ids = [id, ...(was === null ? [] : [was])]
    const { content, mirrored, isWhole } = this.#index.read(id === '' ? null : ids)
    this.#isIndexBehind = !isWhole
    if (content === null) {
      // Archives created before titles had a checksum need not have one.
      this.#isDoubtful = state !== 'unsealed' && this.packs.list().length > 0
      return
    }
    this.#isDoubtful = content.isDoubtful
    this.manifest.restore(content.files)
    this.manifest.lastLooked = content.lastLooked
    this.manifest.repaired = new Set(content.repaired)
    this.chunks.restore(content)
    this.proofs.restore(content.proofs)
    for (const [pack, end, name] of content.ends) this.#ends.set(pack, { end, name: name ?? null })
    for (const record of mirrored.sort((a, b) => a.offset - b.offset)) {
      const known = this.#mirrored.get(record.pack)
      if (known === undefined) this.#mirrored.set(record.pack, [record])
      else known.push(record)
    }
  }

  /** First the contiguous records of the index; then those in the pack, with those of the index that the pack lacks. */
  #readOn(pack: number, isThere: boolean): void {
    const mirrored = (this.#mirrored.get(pack) ?? []).values()
    this.#mirrored.delete(pack)
    let next = mirrored.next()
    const takeMirrored = (isWanted: (record: MirroredRecord) => boolean) => {
      for (
        ;
        !next.done && (next.value.offset < this.#endOf(pack) || isWanted(next.value));
        next = mirrored.next()
      )
        if (next.value.offset >= this.#endOf(pack)) this.#take(pack, next.value)
    }
    takeMirrored(({ offset }) => offset === this.#endOf(pack))
    const start = this.#endOf(pack)
    if (isThere && statSync(this.packs.path(pack)).size > start && this.#isPack(pack)) {
      // An apparently torn record may be in the middle of being written.
      const identity = this.packs.identity(pack)
      const scan = this.packs.scan(pack, start, (record) => {
        takeMirrored(({ offset }) => offset < record.offset)
        this.#take(pack, record)
        this.#isIndexBehind = true
      })
      if (start <= this.packs.start)
        this.proofs.set(pack, { identity, provenMs: Date.now(), damaged: scan.damaged, end: scan.end })
      const known = this.#ends.get(pack)
      if (scan.end > this.#endOf(pack)) this.#ends.set(pack, { name: known?.name ?? null, end: scan.end })
    }
    takeMirrored(() => true)
  }

  #endOf(pack: number): number {
    return this.#ends.get(pack)?.end ?? this.packs.start
  }

  #nameOf(pack: number): string | null {
    return this.#beginning(pack)?.name ?? null
  }

  /** false: the file is another pack with this name, or a copy of one, whose notes were read from the original. */
  #isPack(pack: number): boolean {
    const beginning = this.#beginning(pack)
    const known = this.#ends.get(pack)?.name ?? null
    const isOther =
      beginning !== null && beginning.name !== known && (known !== null || this.#isCopy(pack, beginning))
    if (isOther) this.#foreign.add(pack)
    else this.#foreign.delete(pack)
    return !isOther
  }

  /** null: unknown. */
  #beginning(pack: number): PackBeginning | null {
    const first = this.packs.firstRecord(pack)
    return first && readBeginning(first.head, first.stored)
  }

  /** Without their own names, two packs can have the same beginning, but not the same length. */
  #isCopy(pack: number, { name, pack: number }: PackBeginning): boolean {
    const sizeBytes = statSync(this.packs.path(pack)).size
    return [...this.#ends].some(
      ([other, known]) =>
        other !== pack && known.name === name && (number !== null || known.end === sizeBytes),
    )
  }

  /** Returns whether a chunk no longer exists anywhere. */
  #prove(pack: number, nowMs: number): boolean {
    this.#isPack(pack)
    const identity = this.packs.identity(pack)
    const found: { offset: number; recipe: Recipe }[] = []
    const { damaged, end } = this.packs.scan(pack, 0, ({ offset, head, stored }) => {
      const recipe = recipeOf(head.kind, stored)
      if (recipe !== null) found.push({ offset, recipe })
    })
    this.proofs.set(pack, { identity, provenMs: nowMs, damaged, end })
    return this.chunks.settle(pack, found)
  }

  #take(pack: number, { head, offset, stored }: FoundRecord): void {
    const end = offset + RECORD_HEAD_BYTES + head.storedBytes
    const isFirst = offset === this.packs.start
    const name = isFirst ? readBeginning(head, stored).name : (this.#ends.get(pack)?.name ?? null)
    this.#ends.set(pack, { end, name })
    const recipe = recipeOf(head.kind, stored)
    if (recipe !== null) this.chunks.add({ pack, offset }, recipe)
    if (head.kind === RECORD_KINDS.notes) for (const note of unpackNotes(stored)) this.manifest.apply(note)
  }
}

/** Whether the folder is an archive, even without its title. */
export function isArchive(folder: string): boolean {
  return (
    ['archive.json', 'index', 'index.copy'].some((name) => existsSync(join(folder, name))) ||
    new PackFolder(folder).list().length > 0
  )
}

/** The chunks in a record; null if none. */
export function recipeOf(kind: number, stored: Buffer): Recipe | null {
  if (kind === RECORD_KINDS.bundle) return readBundle(stored)?.recipe ?? null
  if (kind !== RECORD_KINDS.notes) return null
  const added = unpackNotes(stored).flatMap((note: Note) =>
    note.kind === 'added' ? [addedChunk(note).recipe] : [],
  )
  return added.length > 0 ? Buffer.concat(added) : null
}

const FORMAT_VERSION = 1
/** A larger file is not a title. */
const MOST_BYTES = 1_000

const titleSchema = z.object({
  version: z.number(),
  id: z.string(),
  /** The previous id: an index written with it belongs to this archive. */
  was: z.string().nullable().default(null),
  /** CRC-32 of the others; missing in older archives. */
  sum: z.string().nullable().default(null),
})

type StoredTitle = z.infer<typeof titleSchema>

interface Title {
  /** later: written by a later version of this program. unsealed: written before titles had a checksum. */
  state: 'whole' | 'unsealed' | 'missing' | 'damaged' | 'later'
  /** null: unknown. */
  id: string | null
  was: string | null
}

/** `archive.json`: format version and id of the archive. Its content can be reconstructed without it. */
export class TitleFile {
  readonly #path: string

  constructor(archiveFolder: string) {
    this.#path = join(archiveFolder, 'archive.json')
  }

  /** `knownIds`: those of indexes in the same folder. Detects a single flipped bit, even without a checksum. */
  read(knownIds: () => readonly string[]): Title {
    const bytes = this.#readBytes()
    if (bytes === null) return { state: 'missing', id: knownIds()[0] ?? null, was: null }
    const found = parse(bytes)
    const isOurs = found?.version === FORMAT_VERSION
    if (isOurs && found.sum === sumOf(found)) return { state: 'whole', id: found.id, was: found.was }
    const ids = knownIds()
    const unsealed: Title | null =
      isOurs && found.sum === null ? { state: 'unsealed', id: found.id, was: null } : null
    if (unsealed !== null && ids.includes(unsealed.id ?? '')) return unsealed
    const meant = turnedBits(bytes).find((title) => isMeant(title, ids))
    if (meant !== undefined) return { state: 'damaged', id: meant.id, was: meant.was }
    if (unsealed !== null) return unsealed
    if (found !== null && found.version > FORMAT_VERSION) return { state: 'later', id: found.id, was: null }
    return { state: 'damaged', id: ids[0] ?? null, was: null }
  }

  /** @throws if it cannot be written; the previous one remains */
  write({ id, was }: Pick<Title, 'was'> & { id: string }): void {
    const title = { version: FORMAT_VERSION, id, was }
    writeDurably(this.#path, [Buffer.from(`${JSON.stringify({ ...title, sum: sumOf(title) })}\n`)])
  }

  #readBytes(): Buffer | null {
    try {
      return readFileSync(this.#path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return null
      if (code === 'EISDIR') return Buffer.alloc(0)
      throw error
    }
  }
}

function parse(bytes: Buffer): StoredTitle | null {
  try {
    return titleSchema.parse(JSON.parse(bytes.toString()))
  } catch {
    return null
  }
}

/** As written, to compare with variants of a damaged title, some thousand times. */
const WRITTEN =
  /^\{"version":(\d+),"id":"([^"\\]+)"(?:,"was":(?:null|"([^"\\]+)"),"sum":"([0-9a-f]{8})")?\}\n$/

/** All variants with one flipped bit. */
function turnedBits(bytes: Buffer): StoredTitle[] {
  if (bytes.length > MOST_BYTES) return []
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const turned = Buffer.from(bytes)
    turned.writeUInt8(turned.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const [, version, id = '', was = null, sum = null] = WRITTEN.exec(turned.toString('latin1')) ?? []
    return version === undefined ? null : { version: Number(version), id, was, sum }
  }).filter((title) => title !== null)
}

function isMeant(title: StoredTitle, ids: readonly string[]): boolean {
  if (title.version !== FORMAT_VERSION) return false
  return title.sum === null ? ids.includes(title.id) : title.sum === sumOf(title)
}

function sumOf({ version, id, was }: Pick<StoredTitle, 'version' | 'id' | 'was'>): string {
  return crc32(`${version} ${id} ${was ?? ''}`)
    .toString(16)
    .padStart(8, '0')
}

/** A part of the archived content is damaged. It is reported, and nothing of it is served. */
export class DamagedContent extends Error {}

/** Bundles to cache while reading: chunks of one file are usually together. */
const MOST_BUNDLES_HELD = 4

/**
 * The bytes of a version, piece by piece, each verified by its hash before it is returned.
 * @throws `DamagedContent`, or `UnknownCodec` if this Node lacks the codec
 */
export async function* readVersion(archive: Archive, { recipe }: KeptVersion): AsyncGenerator<Uint8Array> {
  const held = new Map<string, Map<string, Uint8Array>>()
  for (const { hash } of readRecipe(recipe)) {
    const position = archive.chunks.find(hash)
    if (position === null) throw new DamagedContent('A part is missing.')
    const name = `${position.pack} ${position.offset}`
    const chunks = held.get(name) ?? (await readChunks(archive, position))
    held.set(name, chunks)
    const [oldest] = held.keys()
    if (held.size > MOST_BUNDLES_HELD && oldest !== undefined) held.delete(oldest)
    const chunk = chunks.get(hash)
    if (chunk === undefined || createHash('sha256').update(chunk).digest('binary') !== hash)
      throw new DamagedContent(`A part is damaged, ${describePlace(archive, position)}.`)
    yield chunk
  }
}

/** Whether a file equals this version, byte for byte, by the hashes of its chunks. */
export async function holdsVersion(path: string, { recipe, sizeBytes }: KeptVersion): Promise<boolean> {
  const descriptor = openSync(path, 'r')
  try {
    if (fstatSync(descriptor).size !== sizeBytes) return false
    let position = 0
    for (const entry of readRecipe(recipe)) {
      const bytes = readAt(descriptor, position, entry.sizeBytes)
      if (createHash('sha256').update(bytes).digest('binary') !== entry.hash) return false
      position += entry.sizeBytes
      await setImmediate()
    }
    return true
  } finally {
    closeSync(descriptor)
  }
}

async function readChunks(archive: Archive, position: PackPosition): Promise<Map<string, Uint8Array>> {
  try {
    return await unpackChunks(archive, position)
  } catch (error) {
    if (error instanceof UnknownCodec) throw error
    throw new DamagedContent(`A part cannot be read, ${describePlace(archive, position)}.`)
  }
}

async function unpackChunks(
  archive: Archive,
  { pack, offset }: PackPosition,
): Promise<Map<string, Uint8Array>> {
  const record = archive.packs.withPack(pack, (descriptor) => {
    const head = readRecordHead(readAt(descriptor, offset, RECORD_HEAD_BYTES))
    return { head, stored: readAt(descriptor, offset + RECORD_HEAD_BYTES, head?.storedBytes ?? 0) }
  })
  return unpackRecord(record)
}

/** The chunks in a record, by their hashes; not verified. @throws if they cannot be unpacked */
export async function unpackRecord({
  head,
  stored,
}: {
  head: RecordHead | null
  stored: Buffer
}): Promise<Map<string, Uint8Array>> {
  const chunks = new Map<string, Uint8Array>()
  if (head?.kind === RECORD_KINDS.notes) {
    for (const note of unpackNotes(stored)) {
      const added = note.kind === 'added' ? addedChunk(note) : null
      if (added !== null) chunks.set(added.hash, added.bytes)
    }
    return chunks
  }
  const bundle = readBundle(stored)
  if (head === null || bundle === null) return chunks
  const content = await decompress(head.codec, bundle.compressed, head.rawBytes)
  let start = 0
  for (const { hash, sizeBytes } of readRecipe(bundle.recipe)) {
    chunks.set(hash, content.subarray(start, start + sizeBytes))
    start += sizeBytes
  }
  return chunks
}

function describePlace(archive: Archive, { pack, offset }: PackPosition): string {
  return `at byte ${offset} of ${archive.packs.path(pack)}`
}
