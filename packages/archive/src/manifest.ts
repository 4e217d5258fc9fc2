import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { type Recipe, recipeBytes, toRecipe } from './content.ts'
import {
  type FoundRecord,
  isSealedBy,
  RECORD_HEAD_BYTES,
  RECORD_KINDS,
  type RecordHead,
  readBundle,
  readRecordHead,
  scanPack,
  writeAll,
  writeDurably,
  writeRecord,
} from './pack.ts'

/** One content of a file. A log that only grew has one, the current one: its earlier states are prefixes. */
export interface KeptVersion {
  sizeBytes: number
  recipe: Recipe
  firstSeen: string
  /** When it was last known to be the file's content; null: as far as known, it still is. */
  replaced: string | null
  /** When a repair found that it cannot be restored; null: never. */
  lost: string | null
}

export interface KeptFile {
  id: number
  /** Unique in the archive; chosen by the caller. */
  path: string
  label: FileLabel
  /** In order; the last one is the file's current content, or that when it was last seen. */
  versions: KeptVersion[]
  stamp: TakenStamp
  /** It grew, and only its ends were verified. */
  isAssumed: boolean
  lastSeen: string
  /** When it was found missing; null: it existed. */
  gone: string | null
}

const NO_STAMP: TakenStamp = { sizeBytes: -1, mtimeNs: '', ctimeNs: '', inode: '' }

/** Contents of an archive, computed from its notes. */
export class Manifest {
  readonly #byId = new Map<number, KeptFile>()
  readonly #byPath = new Map<string, KeptFile>()
  #lastId = 0
  /** When all files were last scanned. */
  lastLooked: string | null = null
  /** Damaged places in packs from which a repair has saved everything possible. */
  repaired: ReadonlySet<string> = new Set()

  files(): IterableIterator<KeptFile> {
    return this.#byId.values()
  }

  find(path: string): KeptFile | null {
    return this.#byPath.get(path) ?? null
  }

  /** The highest file number ever assigned. */
  get lastId(): number {
    return this.#lastId
  }

  /** Ignores a note about a file whose first note was lost to damage. */
  apply(note: Note): void {
    if (note.kind === 'looked') this.#noteLook(note.at)
    else if (note.kind === 'repaired') this.repaired = new Set(note.places)
    else if (note.kind === 'restored') this.restore([note.kept])
    else if (note.kind !== 'pack') {
      // even if its first note was lost: its number is never assigned again
      this.#lastId = Math.max(this.#lastId, note.file)
      if (note.kind === 'file') this.#keep(newFile(note.file, note.path, note.label))
      const file = this.#byId.get(note.file)
      if (file !== undefined) applyToFile(file, note)
    }
  }

  store(): StoredFile[] {
    return [...this.#byId.values()].map(storeFile)
  }

  /** Forgets these files. */
  drop(ids: ReadonlySet<number>): void {
    for (const [id, { path }] of this.#byId) {
      if (!ids.has(id)) continue
      this.#byId.delete(id)
      if (this.#byPath.get(path)?.id === id) this.#byPath.delete(path)
    }
  }

  restore(files: readonly StoredFile[]): void {
    for (const stored of files) {
      const versions = stored.versions.map((version) => ({
        ...version,
        recipe: Buffer.from(version.recipe, 'base64'),
      }))
      this.#keep({ ...stored, versions })
    }
  }

  #keep(file: KeptFile): void {
    this.#lastId = Math.max(this.#lastId, file.id)
    this.#byId.set(file.id, file)
    this.#byPath.set(file.path, file)
  }

  #noteLook(at: string): void {
    this.lastLooked = at
    for (const file of this.#byId.values()) if (file.gone === null) file.lastSeen = at
  }
}

export function storeFile(file: KeptFile): StoredFile {
  return {
    ...file,
    versions: file.versions.map((version) => ({ ...version, recipe: version.recipe.toString('base64') })),
  }
}

/** Nothing of it is archived yet. */
export function newFile(id: number, path: string, label: FileLabel): KeptFile {
  return { id, path, label, versions: [], stamp: NO_STAMP, isAssumed: false, lastSeen: '', gone: null }
}

function applyToFile(
  file: KeptFile,
  note: Exclude<Note, { kind: 'looked' | 'repaired' | 'restored' | 'pack' }>,
): void {
  switch (note.kind) {
    case 'file':
      break
    case 'label':
      file.label = note.label
      break
    case 'lost':
      for (const number of note.versions) noteLost(file.versions[number], note.at)
      break
    case 'gone':
      file.gone = note.at
      file.lastSeen = note.lastSeen
      break
    case 'added':
      applyContent(file, asGrown(file, note))
      break
    default:
      applyContent(file, note)
  }
}

function noteLost(version: KeptVersion | undefined, at: string): void {
  if (version !== undefined) version.lost ??= at
}

function asGrown({ stamp: { inode } }: KeptFile, note: AddedNote): ContentNote {
  const { file, at, sizeBytes, mtimeNs, isAssumed } = note
  const stamp = { sizeBytes, mtimeNs, ctimeNs: mtimeNs, inode }
  const recipe = addedChunk(note).recipe.toString('base64')
  return { kind: 'grown', file, at, sizeBytes, stamp, recipe, isAssumed }
}

type ContentNote = Extract<Note, { kind: 'version' | 'grown' | 'same' }>

function applyContent(file: KeptFile, note: ContentNote): void {
  const current = file.versions.at(-1)
  if (note.kind === 'version') {
    if (current !== undefined) current.replaced = file.lastSeen
    const recipe = Buffer.from(note.recipe, 'base64')
    file.versions.push({ sizeBytes: note.sizeBytes, recipe, firstSeen: note.at, replaced: null, lost: null })
  } else if (note.kind === 'grown') {
    const recipe = Buffer.from(note.recipe, 'base64')
    if (current?.sizeBytes !== note.sizeBytes - recipeBytes(recipe)) {
      // A note in between was lost to damage: the file is read completely when it is seen again.
      file.stamp = NO_STAMP
      return
    }
    current.recipe = Buffer.concat([current.recipe, recipe])
    current.sizeBytes = note.sizeBytes
  }
  file.stamp = note.stamp
  file.isAssumed = note.kind === 'grown' && note.isAssumed
  file.lastSeen = note.at
  file.gone = null
}

export type AddedNote = Extract<Note, { kind: 'added' }>

/** Text in the note itself is a chunk like any other. */
export function addedChunk({ text }: Pick<AddedNote, 'text'>): {
  bytes: Buffer
  hash: string
  recipe: Recipe
} {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('binary')
  return { bytes, hash, recipe: toRecipe([{ hash, sizeBytes: bytes.length }]) }
}

/** Identifies a state of a file: equal stamps mean that nothing has changed. */
const takenStampSchema = z.object({
  sizeBytes: z.number(),
  mtimeNs: z.string(),
  ctimeNs: z.string(),
  inode: z.string(),
})
export type TakenStamp = z.infer<typeof takenStampSchema>

/** The caller's data about a file: opaque to the archive. */
const fileLabelSchema = z.record(z.string(), z.string().nullable())
export type FileLabel = z.infer<typeof fileLabelSchema>

const base64 = z.string()

const storedVersionSchema = z.object({
  sizeBytes: z.number(),
  recipe: base64,
  firstSeen: z.string(),
  replaced: z.string().nullable(),
  lost: z.string().nullable().default(null),
})
/** Everything known of a file. */
const storedFileSchema = z.object({
  id: z.number(),
  path: z.string(),
  label: fileLabelSchema,
  versions: z.array(storedVersionSchema),
  stamp: takenStampSchema,
  isAssumed: z.boolean(),
  lastSeen: z.string(),
  gone: z.string().nullable(),
})
type StoredFile = z.infer<typeof storedFileSchema>
const file = z.number()
const at = z.string()

/** One event. The manifest is computed from all notes of an archive, in order. */
const noteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), file, path: z.string(), label: fileLabelSchema }),
  z.object({ kind: z.literal('label'), file, label: fileLabelSchema }),
  /** A content the file never had before. */
  z.object({
    kind: z.literal('version'),
    file,
    at,
    sizeBytes: z.number(),
    stamp: takenStampSchema,
    recipe: base64,
  }),
  /** The previous content, with more appended. `recipe`: of the appended part. */
  z.object({
    kind: z.literal('grown'),
    file,
    at,
    sizeBytes: z.number(),
    stamp: takenStampSchema,
    recipe: base64,
    /** Of the previous content, only the ends were verified. */
    isAssumed: z.boolean(),
  }),
  /** The previous content, with a little appended, which is stored in this note: stored separately it would take several times its size. */
  z.object({
    kind: z.literal('added'),
    file,
    at,
    sizeBytes: z.number(),
    mtimeNs: z.string(),
    text: z.string(),
    isAssumed: z.boolean(),
  }),
  /** The same content with another stamp, or fully read after it was only assumed. */
  z.object({ kind: z.literal('same'), file, at, stamp: takenStampSchema }),
  /** The file is missing. */
  z.object({ kind: z.literal('gone'), file, at, lastSeen: at }),
  /** All files were scanned: those that are not gone existed. */
  z.object({ kind: z.literal('looked'), at }),
  /** These versions, by their index in the file's list, can no longer be restored. */
  z.object({ kind: z.literal('lost'), file, versions: z.array(z.number()), at }),
  /** The state of a file, replacing earlier notes, some of which were damaged. */
  z.object({ kind: z.literal('restored'), file, kept: storedFileSchema }),
  /** The first note in a pack: identifies it, whatever its file is called. Missing in older packs. */
  z.object({ kind: z.literal('pack'), pack: z.number(), id: z.string() }),
  /** A repair saved what was left at these damaged places of packs. Replaces earlier lists. */
  z.object({ kind: z.literal('repaired'), at, places: z.array(z.string()) }),
])
export type Note = z.infer<typeof noteSchema>

/** The beginning of a pack: its name or, in older packs, the seal of its first record. */
export interface PackBeginning {
  name: string
  /** Number of the pack; null: unknown, and two packs may have the same beginning. */
  pack: number | null
}

export function readBeginning(head: RecordHead, stored: Buffer): PackBeginning {
  const isName =
    head.kind === RECORD_KINDS.notes && head.storedBytes <= stored.length && isSealedBy(head, stored)
  const [note] = isName ? unpackNotes(stored) : []
  if (note?.kind === 'pack') return { name: note.id, pack: note.pack }
  return { name: head.seal.toString('hex'), pack: null }
}

/**
 * Deflate dictionary with what notes have in common, so that a note about a log that grew by a line is no longer than the line. Part of the
 * format: notes refer to it from its end. Words may be prepended, nothing else may ever change.
 */
const COMMON_WORDS = Buffer.from(
  '[{"kind":"added","file":1,"at":"2026-11-2T1","sizeBytes":1,"mtimeNs":"17","text":"{\\"id\\":\\"' +
    '\\",\\"timestamp\\":\\"2026-","type\\":\\"gemini\\",\\"content\\":\\"","type\\":\\"user\\",\\"content\\":[{\\"text\\":\\"' +
    '{\\"$set\\":{\\"lastUpdated\\":\\"2026-\\"}}\\n","isAssumed":true},{"kind":"looked","at":"2026-' +
    '[{"kind":"file","file":1,"path":"tmp/","label":{"kind":"session","sessionId":null}},{"kind":"version","file":1,"at":"' +
    '{"kind":"gone","lastSeen":"{"kind":"same"{"kind":"looked","at":"000Z"}][{"kind":"grown","file":1,"at":"20' +
    '","sizeBytes":1,"stamp":{"sizeBytes":1,"mtimeNs":"17","ctimeNs":"17","inode":"1"},"recipe":"AA==","isAssumed":true}]',
)
/** Far more than any run notes at once. */
const MAX_NOTES_BYTES = 256 * 1024 * 1024

export function packNotes(notes: readonly Note[]): { rawBytes: number; stored: Buffer } {
  const json = Buffer.from(JSON.stringify(notes))
  return { rawBytes: json.length, stored: deflateRawSync(json, { dictionary: COMMON_WORDS }) }
}

/** Notes of kinds added later are skipped. */
export function unpackNotes(stored: Uint8Array): Note[] {
  const json = inflateRawSync(stored, { dictionary: COMMON_WORDS, maxOutputLength: MAX_NOTES_BYTES })
  return z
    .array(z.unknown())
    .parse(JSON.parse(json.toString()))
    .flatMap((written) => noteSchema.safeParse(written).data ?? [])
}

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
