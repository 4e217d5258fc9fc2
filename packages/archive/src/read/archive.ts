import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readRecipe } from '../content/recipe.ts'
import { addedChunk } from '../manifest/added-chunk.ts'
import { IndexFile } from '../manifest/index-file.ts'
import { type KeptFile, type KeptVersion, Manifest } from '../manifest/manifest.ts'
import { unpackNotes } from '../manifest/packed-notes.ts'
import { readBundle } from '../pack/bundle.ts'
import { ChunkTable } from '../pack/chunk-table.ts'
import { PackFolder } from '../pack/pack-folder.ts'
import { PackProofs } from '../pack/pack-proofs.ts'
import type { PackPosition } from '../pack/pack-writer.ts'
import { RECORD_HEAD_BYTES, RECORD_KINDS } from '../pack/record.ts'
import type { FoundRecord } from '../pack/scan-pack.ts'

const FORMAT_VERSION = 1
const titleSchema = z.object({ version: z.number(), id: z.string() })

/**
 * Files by their content, in one folder: every version of each, in chunks that are stored once. Knows nothing of what the
 * files are. The packs are the truth and are only ever appended to; everything else is made of them.
 */
export class Archive {
  readonly folder: string
  readonly packs: PackFolder
  readonly proofs: PackProofs
  chunks = new ChunkTable()
  manifest = new Manifest()
  #id: string | null = null
  /** Up to where each pack was read; one that is torn is never written to again. */
  #ends = new Map<number, { end: number; isTorn: boolean }>()
  #recordsBeyondIndex = 0

  constructor(folder: string) {
    this.folder = folder
    this.packs = new PackFolder(folder)
    this.proofs = new PackProofs(this.packs)
  }

  /** Whether anything was ever kept here. */
  exists(): boolean {
    return existsSync(join(this.folder, 'archive.json'))
  }

  /** Makes the folder an archive; the caller has it for itself. */
  create(): void {
    if (this.exists()) return
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.renew()
  }

  /** Gives the archive another id: whoever knows what its packs held reads them anew. */
  renew(): void {
    const path = join(this.folder, 'archive.json')
    const title = JSON.stringify({ version: FORMAT_VERSION, id: randomUUID() })
    writeFileSync(`${path}.new`, `${title}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
    this.#id = null
  }

  /** Learns what came since, from whatever process. @throws where it was written by a later version, or cannot be read */
  refresh(): void {
    const id = this.#readId()
    if (id !== this.#id || this.#hasLostPacks()) this.#startAnew(id)
    for (const pack of this.packs.list()) this.#readOn(pack)
  }

  /** Forgets what it knows: what is on disk counts. */
  reset(): void {
    this.#id = null
  }

  /** Where the next record belongs; null: in a new pack. */
  nextPosition(): PackPosition | null {
    const pack = this.packs.list().at(-1)
    const known = pack === undefined ? undefined : this.#ends.get(pack)
    return pack === undefined || known === undefined || known.isTorn ? null : { pack, offset: known.end }
  }

  /** A record that this process has appended. */
  learn(pack: number, record: FoundRecord): void {
    this.#take(pack, record)
    this.#ends.set(pack, { end: record.offset + RECORD_HEAD_BYTES + record.head.storedBytes, isTorn: false })
  }

  /** Whether all of a version can be put together. */
  isWhole({ recipe }: KeptVersion): boolean {
    return readRecipe(recipe).every(({ hash }) => this.chunks.find(hash) !== null)
  }

  /** Versions of which a part is damaged: they are named, and never served. */
  damagedVersions(): { file: KeptFile; version: KeptVersion }[] {
    return [...this.manifest.files()].flatMap((file) =>
      file.versions.filter((version) => !this.isWhole(version)).map((version) => ({ file, version })),
    )
  }

  /** Proves again what another than this program may have changed, and what was not looked at for long. */
  prove(nowMs: number): void {
    this.chunks.drop(this.proofs.prove(this.chunks.bundles(), nowMs))
  }

  storedBytes(): number {
    return (
      this.packs.sizeBytes() + (statSync(join(this.folder, 'index'), { throwIfNoEntry: false })?.size ?? 0)
    )
  }

  /** So that the next start need not read the packs; not for a few records, which are read quickly. */
  saveIndex(minRecords: number): void {
    if (this.#id === null || this.#recordsBeyondIndex < minRecords) return
    const isWritten = new IndexFile(this.folder).write({
      archiveId: this.#id,
      files: this.manifest.store(),
      lastLooked: this.manifest.lastLooked,
      ends: [...this.#ends].map(([pack, { end }]) => [pack, end]),
      proofs: this.proofs.store(),
      ...this.chunks.store(),
    })
    if (isWritten) this.#recordsBeyondIndex = 0
  }

  #readId(): string | null {
    if (!this.exists()) return null
    const title = titleSchema.parse(JSON.parse(readFileSync(join(this.folder, 'archive.json'), 'utf8')))
    if (title.version > FORMAT_VERSION)
      throw new Error(`${this.folder} was written by a later version of gemini-dash`)
    return title.id
  }

  #hasLostPacks(): boolean {
    const there = new Set(this.packs.list())
    return [...this.#ends.keys()].some((pack) => !there.has(pack))
  }

  #startAnew(id: string | null): void {
    this.#id = id
    this.#ends = new Map()
    this.chunks = new ChunkTable()
    this.manifest = new Manifest()
    this.#recordsBeyondIndex = 0
    const content = id === null ? null : new IndexFile(this.folder).read()
    if (content === null || content.archiveId !== id) return
    this.manifest.restore(content.files)
    this.manifest.lastLooked = content.lastLooked
    this.chunks.restore(content)
    this.proofs.restore(content.proofs)
    const there = new Set(this.packs.list())
    this.#ends = new Map(
      content.ends.filter(([pack]) => there.has(pack)).map(([pack, end]) => [pack, { end, isTorn: false }]),
    )
  }

  #readOn(pack: number): void {
    // What looks torn may be in the middle of being written.
    const start = this.#ends.get(pack)?.end ?? 0
    if (statSync(this.packs.path(pack)).size <= start) return
    const { end, isTorn } = this.packs.scan(pack, start, (record) => this.#take(pack, record))
    this.#ends.set(pack, { end, isTorn })
  }

  #take(pack: number, { head, offset, stored }: FoundRecord): void {
    this.#recordsBeyondIndex++
    if (head.kind === RECORD_KINDS.bundle) {
      const bundle = readBundle(stored)
      if (bundle !== null) this.chunks.add({ pack, offset }, bundle.recipe)
    } else if (head.kind === RECORD_KINDS.notes) {
      const notes = unpackNotes(stored)
      const added = notes.flatMap((note) => (note.kind === 'added' ? [addedChunk(note).recipe] : []))
      if (added.length > 0) this.chunks.add({ pack, offset }, Buffer.concat(added))
      for (const note of notes) this.manifest.apply(note)
    }
  }
}
