import { createHash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { storedFileSchema } from './manifest.ts'

const HASH_BYTES = 32
const PLACE_BYTES = 4

const contentSchema = z.object({
  archiveId: z.string(),
  files: z.array(storedFileSchema),
  lastLooked: z.string().nullable(),
  /** Pack and offset of each bundle. */
  bundles: z.array(z.tuple([z.number(), z.number()])),
  /** Up to where each pack was read. */
  ends: z.array(z.tuple([z.number(), z.number()])),
  /** What each pack was when it was last proven, when that was, and where it was damaged. */
  proofs: z.array(z.tuple([z.number(), z.string(), z.number(), z.array(z.number())])),
})
export type IndexContent = z.infer<typeof contentSchema> & {
  /** Where each chunk is: the place of its bundle in `bundles`. */
  chunks: Map<string, number>
}

/** What the packs hold, so that they need not be read to know it. Lost or damaged, it is made again of them. */
export class IndexFile {
  readonly #path: string

  constructor(archiveFolder: string) {
    this.#path = join(archiveFolder, 'index')
  }

  read(): IndexContent | null {
    try {
      const bytes = readFileSync(this.#path)
      const body = bytes.subarray(0, -HASH_BYTES)
      if (!sealOf(body).equals(bytes.subarray(-HASH_BYTES))) return null
      const jsonEnd = PLACE_BYTES + body.readUInt32LE(0)
      const content = contentSchema.parse(JSON.parse(body.toString('utf8', PLACE_BYTES, jsonEnd)))
      return { ...content, chunks: readChunks(body.subarray(jsonEnd)) }
    } catch {
      return null
    }
  }

  /** false: it could not be written; then the packs are read once more. */
  write({ chunks, ...content }: IndexContent): boolean {
    const json = Buffer.from(JSON.stringify(content))
    const length = Buffer.alloc(PLACE_BYTES)
    length.writeUInt32LE(json.length)
    const body = Buffer.concat([length, json, writeChunks(chunks)])
    const part = `${this.#path}.part`
    try {
      writeFileSync(part, Buffer.concat([body, sealOf(body)]), { mode: 0o600 })
      renameSync(part, this.#path)
      return true
    } catch {
      rmSync(part, { force: true })
      return false
    }
  }
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

function sealOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
