import { createHash, randomUUID } from 'node:crypto'
import { type BigIntStats, fstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Archive } from './archive.ts'
import {
  CODECS,
  compress,
  findChunkEnd,
  MAX_CHUNK_BYTES,
  type Recipe,
  type RecipeEntry,
  readRecipe,
  toRecipe,
} from './content.ts'
import { mirrorRecord } from './index-files.ts'
import {
  type AddedNote,
  type FileLabel,
  type KeptFile,
  type Note,
  newFile,
  packNotes,
  type TakenStamp,
} from './manifest.ts'
import {
  bundleParts,
  type NextPack,
  type PackPosition,
  PackWriter,
  RECORD_KINDS,
  readAt,
  readRecordHead,
  writeRecord,
} from './pack.ts'

/** Bytes compressed together: more would make reading a part slower, fewer would compress less. */
const BUNDLE_BYTES = 256 * 1024
/** Number of bundles compressed in parallel, in threads. */
const MOST_IN_WORK = 4
/** A file's content is committed after this many bytes, so that it survives any failure. */
const COMMIT_BYTES = 16 * 1024 * 1024

/** The archive has reached its size limit. */
export class LimitReached extends Error {
  constructor(maxBytes: number) {
    super(`The archive holds as much as it may: ${maxBytes} bytes.`)
  }
}

/**
 * Appends to an archive that the caller has exclusively. Chunks are written to the packs before the notes that name them: whenever it is
 * stopped, everything in the notes exists, and everything else counts as never archived.
 */
export class ArchiveWriter {
  readonly archive: Archive
  readonly #maxBytes: number
  readonly #packs: PackWriter
  #bundle: Buffer[] = []
  #entries: RecipeEntry[] = []
  /** In the bundle or being compressed: not in the table yet. */
  #pending = new Set<string>()
  readonly #inWork = new Set<Promise<void>>()
  #lastWork: Promise<void> = Promise.resolve()
  #failure: unknown = null
  #notes: Note[] = []
  /** Size of file content in these notes. */
  #addedBytes = 0
  readonly #newFiles = new Map<number, KeptFile>()
  #lastId = 0
  #uncommittedBytes = 0
  readonly #written = new Map<number, number>()
  #storedBytes: number
  /** Records appended to packs since the last update of the index. */
  #mirrored: Buffer[] = []
  /** A pack started for the record being appended. */
  #begun: NextPack | null = null

  /** `maxBytes`: maximum size of the archive, compressed. */
  constructor(archive: Archive, { maxBytes, nowMs }: { maxBytes: number; nowMs: number }) {
    this.archive = archive
    this.#maxBytes = maxBytes
    archive.create()
    archive.refresh()
    archive.prove(nowMs)
    this.#packs = new PackWriter(archive.packs, archive.nextPosition(), () => this.#namePack())
    this.#storedBytes = archive.storedBytes()
  }

  /** Copies the bytes. Resolves when there is room for more. @throws the error that kept an earlier chunk from being written */
  async addChunk(bytes: Uint8Array): Promise<RecipeEntry> {
    if (this.#failure !== null) throw this.#failure
    const entry = { hash: createHash('sha256').update(bytes).digest('binary'), sizeBytes: bytes.length }
    if (this.#pending.has(entry.hash) || this.archive.chunks.find(entry.hash) !== null) return entry
    this.#pending.add(entry.hash)
    this.#bundle.push(Buffer.from(bytes))
    this.#entries.push(entry)
    this.#uncommittedBytes += bytes.length
    if (this.#entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) >= BUNDLE_BYTES) this.#closeBundle()
    if (this.#inWork.size >= MOST_IN_WORK) await Promise.race(this.#inWork)
    return entry
  }

  /** The file with this path; call `note` for it before the next commit. A new file is noted with its first content. */
  file(path: string, label: FileLabel): KeptFile {
    const known = this.archive.manifest.find(path)
    if (known !== null) return known
    this.#lastId = Math.max(this.#lastId, this.archive.manifest.lastId) + 1
    const file = newFile(this.#lastId, path, label)
    this.#newFiles.set(file.id, file)
    return file
  }

  /** The content in the note must have been added before. */
  async note(note: Note): Promise<void> {
    const file = 'file' in note ? this.#newFiles.get(note.file) : undefined
    if (file !== undefined) {
      this.#newFiles.delete(file.id)
      this.#notes.push({ kind: 'file', file: file.id, path: file.path, label: file.label })
    }
    if (note.kind === 'added') this.#takeAdded(note.text)
    this.#notes.push(note)
    if (this.#uncommittedBytes >= COMMIT_BYTES) await this.commit()
  }

  /** Resolves when everything added so far is in the packs. */
  async flush(): Promise<void> {
    this.#closeBundle()
    await Promise.all(this.#inWork)
    if (this.#failure !== null) throw this.#failure
  }

  /** Resolves when everything noted so far is on disk. */
  async commit(): Promise<void> {
    await this.flush()
    if (this.#notes.length === 0) return
    const { rawBytes, stored } = packNotes(this.#notes)
    this.#packs.sync()
    this.#append(RECORD_KINDS.notes, CODECS.notes, rawBytes, [stored])
    this.#packs.sync()
    this.#tellIndex()
    this.#notes = []
    this.#addedBytes = 0
    this.#uncommittedBytes = 0
  }

  /** After `LimitReached`: commits the notes whose content was completely stored before it. */
  async commitStored(): Promise<void> {
    await Promise.all(this.#inWork)
    if (!(this.#failure instanceof LimitReached)) return
    const isStored = (note: Note) =>
      !('recipe' in note) ||
      readRecipe(Buffer.from(note.recipe, 'base64')).every(
        ({ hash }) => this.archive.chunks.find(hash) !== null,
      )
    const lost = new Set(
      this.#notes.flatMap((note) => ('file' in note && !isStored(note) ? [note.file] : [])),
    )
    this.#notes = this.#notes.filter((note) => !('file' in note) || !lost.has(note.file))
    this.#bundle = []
    this.#entries = []
    this.#failure = null
    await this.commit()
  }

  /**
   * Must be called in any case. After a failure, earlier commits remain, and the archive's state is reloaded.
   * @throws if the index could not be written; the packs are intact in that case
   */
  async close(nowMs: number): Promise<void> {
    await Promise.allSettled(this.#inWork)
    this.#packs.close()
    for (const [pack, end] of this.#written) this.archive.proofs.trust(pack, end, nowMs)
    if (this.#failure !== null) return this.archive.reset()
    this.#tellIndex()
    this.archive.tidyIndex([...this.#written.keys()])
  }

  #tellIndex(): void {
    try {
      this.archive.noteWritten(this.#mirrored)
      this.#mirrored = []
    } catch (error) {
      this.#failure = error
      throw error
    }
  }

  /** Notes are allowed beyond the limit; file content in them is not. */
  #takeAdded(text: string): void {
    this.#addedBytes += Buffer.byteLength(text)
    if (this.#storedBytes + this.#addedBytes <= this.#maxBytes) return
    this.#failure ??= new LimitReached(this.#maxBytes)
    throw this.#failure
  }

  #closeBundle(): void {
    if (this.#entries.length === 0) return
    const content = Buffer.concat(this.#bundle)
    const entries = this.#entries
    this.#bundle = []
    this.#entries = []
    const work = this.#storeBundle(content, entries, this.#lastWork)
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => this.#inWork.delete(work))
    this.#inWork.add(work)
    this.#lastWork = work
  }

  /** In order, whichever is compressed first, so that earlier content is the last to be rejected by the limit. */
  async #storeBundle(content: Buffer, entries: RecipeEntry[], before: Promise<void>): Promise<void> {
    const [{ codec, stored }] = await Promise.all([compress(content), before])
    if (this.#failure !== null) return
    this.#append(RECORD_KINDS.bundle, codec, content.length, bundleParts(toRecipe(entries), stored))
    for (const { hash } of entries) this.#pending.delete(hash)
  }

  /** The first record of a pack identifies it. */
  #namePack(): NextPack {
    const pack = this.archive.nextPack()
    const { rawBytes, stored } = packNotes([{ kind: 'pack', pack, id: randomUUID() }])
    const record = writeRecord({ kind: RECORD_KINDS.notes, codec: CODECS.notes, rawBytes }, [stored])
    this.#begun = { pack, record }
    return this.#begun
  }

  #append(kind: number, codec: number, rawBytes: number, stored: Uint8Array[]): void {
    const record = writeRecord({ kind, codec, rawBytes }, stored)
    // notes are allowed: content that is already stored must be named
    if (kind === RECORD_KINDS.bundle && this.#storedBytes + record.length > this.#maxBytes)
      throw new LimitReached(this.#maxBytes)
    const position = this.#packs.append(record)
    if (this.#begun !== null)
      this.#noteAppended(this.#begun.record, { pack: this.#begun.pack, offset: this.archive.packs.start })
    this.#begun = null
    this.#noteAppended(record, position)
  }

  #noteAppended(record: Buffer, { pack, offset }: PackPosition): void {
    this.#storedBytes += record.length
    this.#written.set(pack, offset + record.length)
    this.#mirrored.push(mirrorRecord(pack, offset, record))
    this.#learn(record, { pack, offset })
  }

  #learn(record: Buffer, position: PackPosition): void {
    const head = readRecordHead(record)
    if (head === null) throw new Error('A record that was just made cannot be read')
    this.archive.learn(position.pack, {
      head,
      offset: position.offset,
      stored: record.subarray(record.length - head.storedBytes),
    })
  }
}

const WINDOW_BYTES = 1024 * 1024
/** Number of bytes before the old end of a grown log that are verified. */
const PROVEN_END_BYTES = 64 * 1024
/** Growth of a log up to this size is stored in its note; more is smaller when compressed with a bundle. */
const MOST_ADDED_BYTES = 2 * 1024
/** For a file that is written while it is read. */
const MOST_ATTEMPTS = 3
/** Bytes after which the event loop gets a turn. */
const BREATH_BYTES = 8 * 1024 * 1024

interface OpenedSource {
  descriptor: number
  /** Lines are only appended to it. */
  isLog: boolean
}

/** The note for the current state of the file; null: it changed during every attempt to read it. */
export async function takeFile(
  writer: ArchiveWriter,
  { descriptor, isLog }: OpenedSource,
  { file, isCertain }: { file: KeptFile; isCertain: boolean },
  at: string,
): Promise<Note | null> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const before = fstatSync(descriptor, { bigint: true })
    const taking = { writer, descriptor, isLog, sizeBytes: Number(before.size), file, at }
    const note = await takeContent(taking, toTakenStamp(before), isCertain)
    const after = fstatSync(descriptor, { bigint: true })
    if (isSameStamp(toTakenStamp(after), toTakenStamp(before))) return note
    // if it grew by only a little, it is read again at once
    if (note.kind !== 'added' && isLog && after.size >= before.size)
      return await withoutTornLine(taking, note)
  }
  return null
}

function toTakenStamp({ size, mtimeNs, ctimeNs, ino }: BigIntStats): TakenStamp {
  return { sizeBytes: Number(size), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(ino) }
}

export function isSameStamp(one: TakenStamp, other: TakenStamp): boolean {
  return (
    one.sizeBytes === other.sizeBytes &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs &&
    one.inode === other.inode
  )
}

interface Taking extends OpenedSource {
  writer: ArchiveWriter
  file: KeptFile
  sizeBytes: number
  at: string
}

async function takeContent(
  taking: Taking,
  stamp: TakenStamp,
  isCertain: boolean,
): Promise<ContentNote | AddedNote> {
  const { file, sizeBytes, at, isLog, descriptor } = taking
  const known = file.versions.at(-1)
  const { archive } = taking.writer
  if (known !== undefined && sizeBytes >= known.sizeBytes && archive.isWhole(known)) {
    const hasGrown = isLog && stamp.inode === file.stamp.inode && sizeBytes > known.sizeBytes
    const isAssumed = hasGrown && !isCertain
    if (isAssumed ? hasSameEnds(descriptor, known.recipe) : await hasSameStart(descriptor, known.recipe)) {
      if (sizeBytes === known.sizeBytes) return { kind: 'same', file: file.id, at, stamp }
      const added = hasGrown ? readAdded(taking, known.sizeBytes, stamp, isAssumed) : null
      if (added !== null) return added
      const recipe = toRecipe(await storeRange(taking, known.sizeBytes, sizeBytes))
      return {
        kind: 'grown',
        file: file.id,
        at,
        sizeBytes,
        stamp,
        recipe: recipe.toString('base64'),
        isAssumed,
      }
    }
  }
  const recipe = toRecipe(await storeRange(taking, 0, sizeBytes))
  if (known?.recipe.equals(recipe)) return { kind: 'same', file: file.id, at, stamp }
  return { kind: 'version', file: file.id, at, sizeBytes, stamp, recipe: recipe.toString('base64') }
}

type ContentNote = Extract<Note, { kind: 'version' | 'grown' | 'same' }>

/** null: it is more than a little, not text, or has a time that the note cannot represent. */
function readAdded(
  { descriptor, file, at }: Taking,
  start: number,
  { sizeBytes, mtimeNs, ctimeNs }: TakenStamp,
  isAssumed: boolean,
): AddedNote | null {
  if (sizeBytes - start > MOST_ADDED_BYTES || ctimeNs !== mtimeNs) return null
  const bytes = readAt(descriptor, start, sizeBytes - start)
  if (bytes.length < sizeBytes - start) throw new ShrunkFile()
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes)
    ? { kind: 'added', file: file.id, at, sizeBytes, mtimeNs, text, isAssumed }
    : null
}

/** Stores the chunks of a part of the file. @throws if the file ends before that part */
async function storeRange(
  { writer, descriptor }: Taking,
  start: number,
  end: number,
): Promise<RecipeEntry[]> {
  const entries: RecipeEntry[] = []
  let position = start
  let nextBreath = start + BREATH_BYTES
  while (position < end) {
    const length = Math.min(WINDOW_BYTES + MAX_CHUNK_BYTES, end - position)
    const bytes = readAt(descriptor, position, length)
    if (bytes.length < length) throw new ShrunkFile()
    const isLast = position + length === end
    let from = 0
    // the last chunk of a piece may continue in the next
    while (from < length && (isLast || length - from >= MAX_CHUNK_BYTES)) {
      const to = findChunkEnd(bytes, from, length)
      entries.push(await writer.addChunk(bytes.subarray(from, to)))
      from = to
    }
    position += from
    if (position < nextBreath) continue
    nextBreath = position + BREATH_BYTES
    await setImmediate()
  }
  return entries
}

/** It shrank while being read. */
export class ShrunkFile extends Error {}

/** Whether the file still begins with its whole known content. */
async function hasSameStart(descriptor: number, recipe: Recipe): Promise<boolean> {
  let position = 0
  let nextBreath = BREATH_BYTES
  for (const entry of readRecipe(recipe)) {
    if (!holds(descriptor, position, entry)) return false
    position += entry.sizeBytes
    if (position < nextBreath) continue
    nextBreath = position + BREATH_BYTES
    await setImmediate()
  }
  return true
}

/** The first chunk, and the last ones. */
function hasSameEnds(descriptor: number, recipe: Recipe): boolean {
  const entries = readRecipe(recipe)
  const [first] = entries
  if (first !== undefined && !holds(descriptor, 0, first)) return false
  let position = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const proven = position - PROVEN_END_BYTES
  for (const entry of entries.reverse()) {
    position -= entry.sizeBytes
    if (!holds(descriptor, position, entry)) return false
    if (position <= proven) return true
  }
  return true
}

function holds(descriptor: number, position: number, { hash, sizeBytes }: RecipeEntry): boolean {
  const bytes = readAt(descriptor, position, sizeBytes)
  return createHash('sha256').update(bytes).digest('binary') === hash
}

/** A log that grew while being read: archives its whole lines, and the rest next time. */
async function withoutTornLine(taking: Taking, note: ContentNote): Promise<Note | null> {
  if (note.kind === 'same') return note
  const { descriptor, file, sizeBytes } = taking
  const start = note.kind === 'grown' ? (file.versions.at(-1)?.sizeBytes ?? 0) : 0
  const lineEnd = findLineEnd(descriptor, start, sizeBytes)
  if (lineEnd === null) return null
  const entries = readRecipe(Buffer.from(note.recipe, 'base64'))
  let end = start
  const whole = entries.filter(({ sizeBytes }) => {
    end += sizeBytes
    return end <= lineEnd
  })
  const wholeEnd = start + whole.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const last = await storeRange(taking, wholeEnd, lineEnd)
  const recipe = toRecipe([...whole, ...last]).toString('base64')
  // Other changes may have been made meanwhile, so it is read completely once it has stopped changing.
  return { ...note, sizeBytes: lineEnd, recipe, ...(note.kind === 'grown' && { isAssumed: true }) }
}

/** Position after the last line that ends between the two; null if none does. */
function findLineEnd(descriptor: number, start: number, end: number): number | null {
  for (let to = end; to > start; to -= WINDOW_BYTES) {
    const from = Math.max(start, to - WINDOW_BYTES)
    const place = readAt(descriptor, from, to - from).lastIndexOf(0x0a)
    if (place !== -1) return from + place + 1
  }
  return null
}
