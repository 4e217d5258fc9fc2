import { createHash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { type Archive, type ArchiveDamage, FORGET_JOURNAL, recipeOf, unpackRecord } from './archive.ts'
import { ArchiveWriter } from './archive-writer.ts'
import {
  CODECS,
  canDecompress,
  compress,
  decompress,
  type Recipe,
  readRecipe,
  toRecipe,
  UnknownCodec,
} from './content.ts'
import {
  addedChunk,
  type KeptFile,
  type KeptVersion,
  type Note,
  packNotes,
  storeFile,
  unpackNotes,
} from './manifest.ts'
import {
  bundleParts,
  type FoundRecord,
  PACK_TITLE,
  RECORD_KINDS,
  readAt,
  readBundle,
  scanPack,
  writeDurably,
  writeRecord,
} from './pack.ts'

type FoundVersion = ArchiveDamage['versions'][number]

export interface Repair {
  /** null: nothing was wrong. */
  damage: ArchiveDamage | null
  /** What can be restored again. */
  mended: FoundVersion[]
  /** What cannot, and was not known to be lost before. */
  lost: FoundVersion[]
}

/**
 * Makes the archive consistent again: rewrites its title and index, recovers what a pack lost from files that have it (`copiesOf` returns
 * candidate paths), and notes everything else as lost. Removes no byte of any pack. The caller has the archive exclusively. If it is
 * killed, the next call continues.
 *
 * @throws if it cannot be written
 */
export async function repairArchive(
  archive: Archive,
  copiesOf: (file: KeptFile, version: KeptVersion) => readonly string[],
): Promise<Repair> {
  const nowMs = Date.now()
  archive.refresh()
  archive.prove(nowMs, { isThorough: true })
  const damage = archive.damage()
  const missed = archive.damagedVersions()
  if (damage === null && missed.length === 0) return { damage, mended: [], lost: [] }
  archive.create()
  const lost = await salvage(archive, { missed, copiesOf, nowMs })
  if (damage !== null) await settleArchive(archive)
  return { damage, mended: missed.filter(({ version }) => archive.isWhole(version)), lost }
}

interface Salvage {
  missed: readonly FoundVersion[]
  copiesOf: (file: KeptFile, version: KeptVersion) => readonly string[]
  nowMs: number
}

/** Returns what is lost and was not noted before. */
async function salvage(archive: Archive, { missed, copiesOf, nowMs }: Salvage): Promise<FoundVersion[]> {
  const writer = new ArchiveWriter(archive, { maxBytes: Number.POSITIVE_INFINITY, nowMs })
  try {
    const strays = findStrays(archive)
    for (const { path, isPack } of strays) if (isPack) await takeFromPack(writer, path)
    for (const { file, version } of missed) {
      const alike = strays.filter(({ sizeBytes }) => sizeBytes === version.sizeBytes).map(({ path }) => path)
      for (const path of [...copiesOf(file, version), ...alike]) await takeMissing(writer, version, path)
    }
    await writer.flush()
    const lost = missed.filter(({ version }) => version.lost === null && !archive.isWhole(version))
    const at = new Date(nowMs).toISOString()
    for (const { file, number } of lost)
      await writer.note({ kind: 'lost', file: file.id, versions: [number], at })
    await writer.commit()
    return lost
  } finally {
    await writer.close(nowMs)
  }
}

/** Takes the missing chunks of the version that this file has at the same position. */
async function takeMissing(writer: ArchiveWriter, version: KeptVersion, path: string): Promise<void> {
  const descriptor = tryOpen(path)
  if (descriptor === null) return
  try {
    let position = 0
    for (const { hash, sizeBytes } of readRecipe(version.recipe)) {
      if (writer.archive.chunks.find(hash) === null) {
        const bytes = readAt(descriptor, position, sizeBytes)
        if (createHash('sha256').update(bytes).digest('binary') === hash) await writer.addChunk(bytes)
        await setImmediate()
      }
      position += sizeBytes
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'read') throw error
  } finally {
    closeSync(descriptor)
  }
}

interface Stray {
  path: string
  sizeBytes: number
  /** It begins like a pack. */
  isPack: boolean
}

/** Misplaced files in the archive: packs elsewhere, and other files among the packs. */
function findStrays({ folder, packs }: Archive): Stray[] {
  const own = new Set(packs.list().map((pack) => packs.path(pack)))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name)
    const descriptor = lstatSync(path).isFile() ? tryOpen(path) : null
    if (descriptor === null) return []
    try {
      const isPack = readAt(descriptor, 0, PACK_TITLE.length).equals(PACK_TITLE)
      return own.has(path) && isPack ? [] : [{ path, sizeBytes: fstatSync(descriptor).size, isPack }]
    } finally {
      closeSync(descriptor)
    }
  })
}

/** Takes chunks that exist nowhere else. */
async function takeFromPack(writer: ArchiveWriter, path: string): Promise<void> {
  const descriptor = tryOpen(path)
  if (descriptor === null) return
  const found: FoundRecord[] = []
  try {
    const isWanted = (recipe: Recipe) =>
      readRecipe(recipe).some(({ hash }) => writer.archive.chunks.find(hash) === null)
    scanPack(descriptor, { start: PACK_TITLE.length, sizeBytes: fstatSync(descriptor).size }, (record) => {
      const recipe = recipeOf(record.head.kind, record.stored)
      if (recipe !== null && isWanted(recipe)) found.push(record)
    })
  } finally {
    closeSync(descriptor)
  }
  for (const record of found) {
    const chunks = await unpackRecord(record).catch(() => new Map<string, Uint8Array>())
    for (const [hash, bytes] of chunks)
      if (createHash('sha256').update(bytes).digest('binary') === hash) await writer.addChunk(bytes)
  }
}

function tryOpen(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

/**
 * Notes everything known of every file again, so that packs with damaged notes are complete again. `places`: their damage, no longer to be
 * reported. The caller has the archive exclusively. @throws if it cannot be written
 */
async function restoreNotes(archive: Archive, places: readonly string[]): Promise<void> {
  const files: KeptFile[] = [...archive.manifest.files()]
  const nowMs = Date.now()
  const writer = new ArchiveWriter(archive, { maxBytes: Number.POSITIVE_INFINITY, nowMs })
  try {
    for (const file of files) await writer.note({ kind: 'restored', file: file.id, kept: storeFile(file) })
    await writer.note({ kind: 'repaired', at: new Date(nowMs).toISOString(), places: [...places] })
    await writer.commit()
  } finally {
    await writer.close(nowMs)
  }
}

/** Stops reporting the damage in its packs: everything left of it is known, and was noted. @throws if it cannot be written */
async function settleArchive(archive: Archive): Promise<void> {
  await restoreNotes(archive, archive.places())
  archive.settle()
  archive.saveIndex()
  archive.refresh()
}

/** The same if nothing is missing, because what was damaged was archived again. The caller has the archive exclusively. */
export async function settleMended(archive: Archive): Promise<void> {
  archive.refresh()
  archive.prove(Date.now())
  const damage = archive.damage()
  if (damage !== null && damage.versions.length === 0 && !damage.isDoubtful) await settleArchive(archive)
}

/** Numbers of files being forgotten: if this file exists, forgetting continues. */
const journalSchema = z.array(z.number())

/**
 * Removes files from the archive permanently: rewrites every pack that has part of them. Chunks shared with other files remain. The caller
 * has the archive exclusively; a concurrent reader finds content damaged, and retries. If it is killed, the next call continues, even
 * without files.
 *
 * @throws if it cannot be written; the next call continues then, too. `UnknownCodec` if another Node has to do it: nothing has changed
 */
export async function forgetFiles(archive: Archive, ids: Iterable<number>): Promise<void> {
  const journal = join(archive.folder, FORGET_JOURNAL)
  const begun = readJournal(journal)
  const wanted = new Set([...begun, ...ids])
  if (wanted.size === 0) return
  archive.refresh()
  archive.prove(Date.now())
  // damaged parts are removed, too: what is known of them is noted again
  const isDamaged = begun.length > 0 || archive.places().length > 0
  const needed = new Set(
    [...archive.manifest.files()]
      .filter(({ id }) => !wanted.has(id))
      .flatMap(({ versions }) =>
        versions.flatMap(({ recipe }) => readRecipe(recipe).map(({ hash }) => hash)),
      ),
  )
  // do not start what cannot be completed
  for (const pack of archive.packs.list()) expectReadable(archive, pack, needed)
  writeDurably(journal, [Buffer.from(JSON.stringify([...wanted]))])
  // the index contains the paths of files
  archive.manifest.drop(wanted)
  archive.saveIndex()
  for (const pack of archive.packs.list()) await rewritePack(archive, pack, { ids: wanted, needed })
  archive.renew()
  archive.relocate(Date.now())
  archive.saveIndex()
  if (isDamaged) await restoreNotes(archive, [])
  rmSync(journal, { force: true })
}

function readJournal(path: string): number[] {
  try {
    return journalSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return []
  }
}

/** @throws `UnknownCodec` if part of a bundle must be removed and this Node cannot decompress it */
function expectReadable({ packs }: Archive, pack: number, needed: ReadonlySet<string>): void {
  packs.scan(pack, 0, ({ head, stored }) => {
    const bundle = head.kind === RECORD_KINDS.bundle ? readBundle(stored) : null
    if (bundle === null || canDecompress(head.codec)) return
    const left = readRecipe(bundle.recipe).map(({ hash }) => needed.has(hash))
    if (left.includes(true) && left.includes(false))
      throw new UnknownCodec('a part is compressed together with others by a newer Node.js (22.15)')
  })
}

interface Rest {
  ids: ReadonlySet<number>
  /** Hashes of the chunks that remain. */
  needed: ReadonlySet<string>
}

/** Damaged or unfinished parts may belong to those files and are removed, too; they are unreadable anyway. */
async function rewritePack(archive: Archive, pack: number, rest: Rest): Promise<void> {
  const found: FoundRecord[] = []
  const { isTorn, damaged } = archive.packs.scan(pack, 0, (record) => found.push(record))
  let hasChanged = isTorn || damaged.length > 0
  const records: Uint8Array[] = [PACK_TITLE]
  for (const record of found) {
    const kept = await withoutForgotten(record, rest)
    if (kept !== record) hasChanged = true
    if (kept === record) records.push(writeRecord(record.head, [record.stored]))
    else if (kept !== null) records.push(kept as Uint8Array)
  }
  if (hasChanged) writeDurably(archive.packs.path(pack), records)
}

/** The same record if it has nothing of them, else what is left of it; null: nothing is left. */
async function withoutForgotten(record: FoundRecord, rest: Rest): Promise<FoundRecord | Uint8Array | null> {
  const { kind, codec, rawBytes } = record.head
  if (kind === RECORD_KINDS.notes) return withoutNotes(record, rest)
  const bundle = kind === RECORD_KINDS.bundle ? readBundle(record.stored) : null
  if (bundle === null) return record
  const entries = readRecipe(bundle.recipe)
  if (entries.every(({ hash }) => rest.needed.has(hash))) return record
  if (!entries.some(({ hash }) => rest.needed.has(hash))) return null
  const content = await decompress(codec, bundle.compressed, rawBytes)
  let end = 0
  const chunks = entries.map((entry) => {
    end += entry.sizeBytes
    return { ...entry, bytes: content.subarray(end - entry.sizeBytes, end) }
  })
  return writeBundle(chunks.filter(({ hash }) => rest.needed.has(hash)))
}

/** Content in a removed note that others need is stored like other chunks, before any note that may name it. */
async function withoutNotes(
  record: FoundRecord,
  { ids, needed }: Rest,
): Promise<FoundRecord | Uint8Array | null> {
  const notes = unpackNotes(record.stored)
  const isForgotten = (note: Note) => 'file' in note && ids.has(note.file)
  const left = notes.filter((note) => !isForgotten(note))
  if (left.length === notes.length) return record
  const added = notes.flatMap((note) =>
    note.kind === 'added' && isForgotten(note) ? [addedChunk(note)] : [],
  )
  const bundle = await writeBundle(added.filter(({ hash }) => needed.has(hash)))
  if (left.length === 0) return bundle
  const { rawBytes, stored } = packNotes(left)
  const written = writeRecord({ kind: RECORD_KINDS.notes, codec: CODECS.notes, rawBytes }, [stored])
  return bundle === null ? written : Buffer.concat([bundle, written])
}

/** null if there are no chunks. */
async function writeBundle(chunks: readonly { hash: string; bytes: Uint8Array }[]): Promise<Buffer | null> {
  if (chunks.length === 0) return null
  const content = Buffer.concat(chunks.map(({ bytes }) => bytes))
  const recipe = toRecipe(chunks.map(({ hash, bytes }) => ({ hash, sizeBytes: bytes.length })))
  const { codec, stored } = await compress(content)
  const head = { kind: RECORD_KINDS.bundle, codec, rawBytes: content.length }
  return writeRecord(head, bundleParts(recipe, stored))
}
