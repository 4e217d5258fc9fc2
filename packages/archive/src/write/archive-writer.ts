import { createHash } from 'node:crypto'
import { CODECS, compress } from '../content/codec.ts'
import { type RecipeEntry, readRecipe, toRecipe } from '../content/recipe.ts'
import { type KeptFile, newFile } from '../manifest/manifest.ts'
import type { FileLabel, Note } from '../manifest/note.ts'
import { packNotes } from '../manifest/packed-notes.ts'
import { bundleParts } from '../pack/bundle.ts'
import { type PackPosition, PackWriter } from '../pack/pack-writer.ts'
import { RECORD_KINDS, readRecordHead, writeRecord } from '../pack/record.ts'
import type { Archive } from '../read/archive.ts'

/** Compressed together: more would take longer to read a part of, fewer would become less small. */
const BUNDLE_BYTES = 256 * 1024
/** As many are compressed at the same time, in threads. */
const MOST_IN_WORK = 4
/** What was taken is noted after so much of it: then it outlives whatever happens. */
const COMMIT_BYTES = 16 * 1024 * 1024
/** The index is written anew after so many records; fewer are read quickly. */
const RECORDS_BEYOND_INDEX = 64

/** The archive holds as much as it may. */
export class LimitReached extends Error {
  constructor(maxBytes: number) {
    super(`The archive holds as much as it may: ${maxBytes} bytes.`)
  }
}

/**
 * Appends to an archive that the caller has for itself. Chunks go into the packs before the notes that name them, so
 * whenever it is stopped, what is noted is there, and what is not noted counts as never taken.
 */
export class ArchiveWriter {
  readonly archive: Archive
  readonly #maxBytes: number
  readonly #packs: PackWriter
  #bundle: Buffer[] = []
  #entries: RecipeEntry[] = []
  /** In the bundle or in work: not in the table yet. */
  #pending = new Set<string>()
  readonly #inWork = new Set<Promise<void>>()
  #lastWork: Promise<void> = Promise.resolve()
  #failure: unknown = null
  #notes: Note[] = []
  /** That stand in these notes. */
  #addedBytes = 0
  readonly #newFiles = new Map<number, KeptFile>()
  #lastId = 0
  #uncommittedBytes = 0
  readonly #written = new Set<number>()
  #storedBytes: number

  /** `maxBytes`: what the archive may hold, compressed. */
  constructor(archive: Archive, { maxBytes, nowMs }: { maxBytes: number; nowMs: number }) {
    this.archive = archive
    this.#maxBytes = maxBytes
    archive.create()
    archive.refresh()
    archive.prove(nowMs)
    this.#packs = new PackWriter(archive.packs, archive.nextPosition())
    this.#storedBytes = archive.storedBytes()
  }

  /** The bytes are copied. Resolves when there is room for more. @throws what hindered an earlier one from being written */
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

  /** The file of this path, to be taken once before the next commit. One that is new is noted with its first content. */
  file(path: string, label: FileLabel): KeptFile {
    const known = this.archive.manifest.find(path)
    if (known !== null) return known
    this.#lastId = Math.max(this.#lastId, this.archive.manifest.lastId) + 1
    const file = newFile(this.#lastId, path, label)
    this.#newFiles.set(file.id, file)
    return file
  }

  /** What the note tells of must have been added before. */
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

  /** What was noted until now is on disk when this resolves. */
  async commit(): Promise<void> {
    this.#closeBundle()
    await Promise.all(this.#inWork)
    if (this.#failure !== null) throw this.#failure
    if (this.#notes.length === 0) return
    const { rawBytes, stored } = packNotes(this.#notes)
    this.#packs.sync()
    this.#append(RECORD_KINDS.notes, CODECS.notes, rawBytes, [stored])
    this.#packs.sync()
    this.#notes = []
    this.#addedBytes = 0
    this.#uncommittedBytes = 0
  }

  /** After `LimitReached`: what was noted, and was stored whole before it, is not lost with what found no room. */
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

  /** To be called in any case. After a failure what was noted before it stays, and what the archive knows is read anew. */
  async close(nowMs: number): Promise<void> {
    await Promise.allSettled(this.#inWork)
    this.#packs.close()
    for (const pack of this.#written) this.archive.proofs.trust(pack, nowMs)
    if (this.#failure === null) this.archive.saveIndex(RECORDS_BEYOND_INDEX)
    else this.archive.reset()
  }

  /** Notes are let through at the limit; what stands in them is not. */
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

  /** In their order, whichever is compressed first: what was taken first is the last to find no room. */
  async #storeBundle(content: Buffer, entries: RecipeEntry[], before: Promise<void>): Promise<void> {
    const [{ codec, stored }] = await Promise.all([compress(content), before])
    if (this.#failure !== null) return
    this.#append(RECORD_KINDS.bundle, codec, content.length, bundleParts(toRecipe(entries), stored))
    for (const { hash } of entries) this.#pending.delete(hash)
  }

  #append(kind: number, codec: number, rawBytes: number, stored: Uint8Array[]): void {
    const record = writeRecord({ kind, codec, rawBytes }, stored)
    // notes are let through: what is there already has to be named
    if (kind === RECORD_KINDS.bundle && this.#storedBytes + record.length > this.#maxBytes)
      throw new LimitReached(this.#maxBytes)
    const position = this.#packs.append(record)
    this.#storedBytes += record.length
    this.#written.add(position.pack)
    this.#learn(record, position)
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
