import { createHash } from 'node:crypto'
import { decompress, UnknownCodec } from '../content/codec.ts'
import { readRecipe } from '../content/recipe.ts'
import { addedChunk } from '../manifest/added-chunk.ts'
import type { KeptVersion } from '../manifest/manifest.ts'
import { unpackNotes } from '../manifest/packed-notes.ts'
import { readBundle } from '../pack/bundle.ts'
import type { PackPosition } from '../pack/pack-writer.ts'
import { RECORD_HEAD_BYTES, RECORD_KINDS, readRecordHead } from '../pack/record.ts'
import { readAt } from '../pack/scan-pack.ts'
import type { Archive } from './archive.ts'

/** A part of what was kept is not what it was. It is named, and nothing of it is served. */
export class DamagedContent extends Error {}

/** A chunk and those stored with it: chunks of one file stand together. */
const MOST_BUNDLES_HELD = 4

/**
 * The bytes of a version, piece by piece, each proven by its hash before it is handed out.
 * @throws `DamagedContent`, or `UnknownCodec` where this Node lacks what it takes
 */
export async function* readVersion(archive: Archive, { recipe }: KeptVersion): AsyncGenerator<Uint8Array> {
  const held = new Map<string, Map<string, Uint8Array>>()
  for (const { hash } of readRecipe(recipe)) {
    const position = archive.chunks.find(hash)
    if (position === null) throw new DamagedContent('A part of it is not there any more.')
    const name = `${position.pack} ${position.offset}`
    const chunks = held.get(name) ?? (await readChunks(archive, position))
    held.set(name, chunks)
    const [oldest] = held.keys()
    if (held.size > MOST_BUNDLES_HELD && oldest !== undefined) held.delete(oldest)
    const chunk = chunks.get(hash)
    if (chunk === undefined || createHash('sha256').update(chunk).digest('binary') !== hash)
      throw new DamagedContent(`A part of it is damaged, ${describePlace(archive, position)}.`)
    yield chunk
  }
}

async function readChunks(archive: Archive, position: PackPosition): Promise<Map<string, Uint8Array>> {
  try {
    return await unpackChunks(archive, position)
  } catch (error) {
    if (error instanceof UnknownCodec) throw error
    throw new DamagedContent(`A part of it cannot be read, ${describePlace(archive, position)}.`)
  }
}

async function unpackChunks(
  archive: Archive,
  { pack, offset }: PackPosition,
): Promise<Map<string, Uint8Array>> {
  const { head, stored } = archive.packs.withPack(pack, (descriptor) => {
    const head = readRecordHead(readAt(descriptor, offset, RECORD_HEAD_BYTES))
    return { head, stored: readAt(descriptor, offset + RECORD_HEAD_BYTES, head?.storedBytes ?? 0) }
  })
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
