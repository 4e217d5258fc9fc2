import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CODECS, canDecompress, compress, decompress, UnknownCodec } from '../content/codec.ts'
import { readRecipe, toRecipe } from '../content/recipe.ts'
import { addedChunk } from '../manifest/added-chunk.ts'
import type { Note } from '../manifest/note.ts'
import { packNotes, unpackNotes } from '../manifest/packed-notes.ts'
import { bundleParts, readBundle } from '../pack/bundle.ts'
import { PACK_TITLE } from '../pack/pack-folder.ts'
import { RECORD_KINDS, writeRecord } from '../pack/record.ts'
import type { FoundRecord } from '../pack/scan-pack.ts'
import type { Archive } from '../read/archive.ts'

/** Numbers of files that are being forgotten: whoever finds it goes on with that. */
const JOURNAL = 'forgetting.json'
const journalSchema = z.array(z.number())

/**
 * Takes files out of the archive for good: every pack in which something of them stands is written anew without it. What
 * other files have in common with them stays. The caller has the archive for itself; whoever reads it meanwhile finds what
 * it looks for damaged, and looks again. Killed on the way, it is gone on with by the next call, also with no files.
 *
 * @throws where it cannot be written; then it is gone on with, too. `UnknownCodec` where another Node has to do it: nothing has changed
 */
export async function forgetFiles(archive: Archive, ids: Iterable<number>): Promise<void> {
  const journal = join(archive.folder, JOURNAL)
  const wanted = new Set([...readJournal(journal), ...ids])
  if (wanted.size === 0) return
  archive.refresh()
  const needed = new Set(
    [...archive.manifest.files()]
      .filter(({ id }) => !wanted.has(id))
      .flatMap(({ versions }) =>
        versions.flatMap(({ recipe }) => readRecipe(recipe).map(({ hash }) => hash)),
      ),
  )
  // what could not be ended is not begun
  for (const pack of archive.packs.list()) expectReadable(archive, pack, needed)
  writeDurably(journal, [Buffer.from(JSON.stringify([...wanted]))])
  // it names files by their paths
  for (const name of ['index', 'index.part']) rmSync(join(archive.folder, name), { force: true })
  for (const pack of archive.packs.list()) await rewritePack(archive, pack, { ids: wanted, needed })
  archive.renew()
  rmSync(journal, { force: true })
}

function readJournal(path: string): number[] {
  try {
    return journalSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return []
  }
}

/** @throws `UnknownCodec` where a part of a bundle goes and a part stays, and this Node cannot tell them apart */
function expectReadable({ packs }: Archive, pack: number, needed: ReadonlySet<string>): void {
  packs.scan(pack, 0, ({ head, stored }) => {
    const bundle = head.kind === RECORD_KINDS.bundle ? readBundle(stored) : null
    if (bundle === null || canDecompress(head.codec)) return
    const left = readRecipe(bundle.recipe).map(({ hash }) => needed.has(hash))
    if (left.includes(true) && left.includes(false))
      throw new UnknownCodec('a part of it stands with others in what a newer Node.js (22.15) compressed')
  })
}

interface Rest {
  ids: ReadonlySet<number>
  /** Chunks of what stays, by their hashes. */
  needed: ReadonlySet<string>
}

/** What is damaged or unfinished in it may be of those files, and goes too; it could not be read any more. */
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

/** The same record where it holds nothing of them, what is left of it, or null: nothing is left. */
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

/** What stands in a note that goes, and that others need, is stored as other chunks are: before whoever may name it. */
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

/** null: of nothing. */
async function writeBundle(chunks: readonly { hash: string; bytes: Uint8Array }[]): Promise<Buffer | null> {
  if (chunks.length === 0) return null
  const content = Buffer.concat(chunks.map(({ bytes }) => bytes))
  const recipe = toRecipe(chunks.map(({ hash, bytes }) => ({ hash, sizeBytes: bytes.length })))
  const { codec, stored } = await compress(content)
  const head = { kind: RECORD_KINDS.bundle, codec, rawBytes: content.length }
  return writeRecord(head, bundleParts(recipe, stored))
}

/** In the place of what stood there, all at once. */
function writeDurably(path: string, parts: readonly Uint8Array[]): void {
  const unfinished = `${path}.new`
  writeFileSync(unfinished, '', { mode: 0o600 })
  const descriptor = openSync(unfinished, 'r+')
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(descriptor, part, at)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(unfinished, path)
}
