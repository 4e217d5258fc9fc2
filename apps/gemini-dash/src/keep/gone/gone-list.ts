import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { keptCopySchema } from 'gemini-sessions'
import { z } from 'zod'

/** A file that is missing in its home, or that held something else there, as it was brought out of the archive. */
const goneEntrySchema = z.object({
  /** Relative to its home; of what was overwritten with `.kept-<n>` behind it. */
  path: z.string(),
  /** Below the folder of what was brought out. */
  place: z.string(),
  /** What its label in the archive says that it is. */
  kind: z.string(),
  /** Which version of it this is. */
  version: z.string(),
  /** When the archive saw a file there first. */
  firstSeen: z.string().optional(),
  sizeBytes: z.number(),
  kept: keptCopySchema,
})
export type GoneEntry = z.infer<typeof goneEntrySchema>

const goneListSchema = z.object({
  version: z.literal(1),
  entries: z.array(goneEntrySchema),
  /** What is missing, and cannot be brought out whole. `isOfNewerNode`: it is not damaged, but this Node lacks what it takes. */
  damaged: z.array(
    z.object({ path: z.string(), lastSeen: z.string(), isOfNewerNode: z.literal(true).optional() }),
  ),
  /** Of versions that were overwritten: whether the next one lacks anything of them. */
  judged: z.record(z.string(), z.boolean()),
})
export type GoneList = z.infer<typeof goneListSchema>

export const NOTHING_GONE: GoneList = { version: 1, entries: [], damaged: [], judged: {} }

/** Of what was overwritten, that of its file. */
export function originalPath(path: string): string {
  return path.replace(/\.kept-\d+$/, '')
}

/** Of one home. */
export function archiveFolder(dataFolder: string, homePath: string): string {
  return join(dataFolder, 'archive', createHash('sha256').update(homePath).digest('hex').slice(0, 16))
}

/**
 * `gone` in the folder of an archive: what of it is not in the home any more, as files that can be read like those of a
 * home. Made of the archive alone, and again whenever it is missing.
 */
export class GoneFolder {
  readonly path: string
  /** Under it everything stands by the name that it has in its home. */
  readonly files: string

  constructor(archive: string) {
    this.path = join(archive, 'gone')
    this.files = join(this.path, 'files')
  }

  /** Changes with every writing of the list; empty where there is none that can be looked at. */
  identity(): string {
    try {
      const { ino, mtimeNs, ctimeNs, size } = statSync(join(this.path, 'gone.json'), { bigint: true })
      return `${ino} ${mtimeNs} ${ctimeNs} ${size}`
    } catch {
      return ''
    }
  }

  /** What is damaged is made again. */
  read(): GoneList {
    return goneListSchema.safeParse(this.#readJson('gone.json')).data ?? NOTHING_GONE
  }

  write(list: GoneList): void {
    this.#writeJson('gone.json', list)
  }

  /** Of which files of the home, and of which archive, the list was made last. */
  checked(): unknown {
    return this.#readJson('checked.json')
  }

  setChecked(state: string): void {
    this.#writeJson('checked.json', state)
  }

  #readJson(name: string): unknown {
    try {
      return JSON.parse(readFileSync(join(this.path, name), 'utf8'))
    } catch {
      return undefined
    }
  }

  #writeJson(name: string, value: unknown): void {
    const path = join(this.path, name)
    writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600 })
    const descriptor = openSync(`${path}.new`, 'r+')
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(`${path}.new`, path)
  }
}

/**
 * Equal as long as nothing can have gone: for the paths that a home holds, and the packs of its archive by name and size.
 * A Node that can read more of them looks again.
 */
export function goneState(
  paths: Iterable<string>,
  packs: readonly { name: string; sizeBytes: number }[],
): string {
  const hash = createHash('sha256').update(`${'zstdDecompress' in zlib}\n`)
  for (const path of paths) hash.update(`${path}\n`)
  for (const { name, sizeBytes } of packs) hash.update(`\n${name} ${sizeBytes}`)
  return hash.digest('base64url')
}
