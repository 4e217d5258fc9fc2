import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import zlib, { crc32 } from 'node:zlib'
import { keptCopySchema } from 'gemini-sessions'
import { z } from 'zod'
import { writeWhole } from '../own-data/own-file.ts'
import { archiveStateSchema } from './archive-state.ts'

const OPENING_BRACE = '{'.charCodeAt(0)

const checkedSchema = z.object({ state: z.string(), archive: archiveStateSchema })
type Checked = z.infer<typeof checkedSchema>

/** A file that is missing in its home, or has other content there, as extracted from the archive. */
const goneEntrySchema = z.object({
  /** Relative to its home; overwritten versions have `.kept-<n>` appended. */
  path: z.string(),
  /** Path below the folder of extracted files. */
  place: z.string(),
  /** Kind according to its label in the archive. */
  kind: z.string(),
  /** Which version this is. */
  version: z.string(),
  /** When the archive first saw the file. */
  firstSeen: z.string().optional(),
  sizeBytes: z.number(),
  /** Stamp of the file when it was last written or checked; without it, it must be checked. */
  stamp: z.string().optional(),
  kept: keptCopySchema,
})
export type GoneEntry = z.infer<typeof goneEntrySchema>

const goneListSchema = z.object({
  version: z.literal(1),
  entries: z.array(goneEntrySchema),
  /** What is missing and cannot be extracted completely. `isOfNewerNode`: not damaged, but this Node.js lacks the codec. */
  damaged: z.array(
    z.object({ path: z.string(), lastSeen: z.string(), isOfNewerNode: z.literal(true).optional() }),
  ),
  /** For overwritten versions: whether the next one lacks any of their content. */
  judged: z.record(z.string(), z.boolean()),
})
export type GoneList = z.infer<typeof goneListSchema>

export const NOTHING_GONE: GoneList = { version: 1, entries: [], damaged: [], judged: {} }

/** For an overwritten version, the path of its file. */
export function originalPath(path: string): string {
  return path.replace(/\.kept-\d+$/, '')
}

/** Of one home. */
export function archiveFolder(dataFolder: string, homePath: string): string {
  return join(dataFolder, 'archive', createHash('sha256').update(homePath).digest('hex').slice(0, 16))
}

/**
 * `gone` in the folder of an archive: the archived files that are no longer in the home, readable like those of a home. Derived from the
 * archive alone, and rebuilt whenever it is missing.
 */
export class GoneFolder {
  readonly path: string
  /** Files below it have the same paths as in their home. */
  readonly files: string

  constructor(archive: string) {
    this.path = join(archive, 'gone')
    this.files = join(this.path, 'files')
  }

  /** Changes with every write of the list; empty if there is no readable list. */
  identity(): string {
    try {
      const { ino, mtimeNs, ctimeNs, size } = statSync(join(this.path, 'gone.json'), { bigint: true })
      return `${ino} ${mtimeNs} ${ctimeNs} ${size}`
    } catch {
      return ''
    }
  }

  /** A damaged list is rebuilt. */
  read(): GoneList {
    return goneListSchema.safeParse(this.#readSealed('gone.json')).data ?? NOTHING_GONE
  }

  write(list: GoneList): void {
    this.#writeSealed('gone.json', list)
  }

  /** Changes with every write of an extracted file; null if it does not exist. */
  stampOf(place: string): string | null {
    const stats = lstatSync(join(this.files, place), { bigint: true, throwIfNoEntry: false })
    return stats?.isFile() === true ? `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.size}` : null
  }

  /** Whether everything on the list exists as written. */
  isIntact({ entries }: GoneList): boolean {
    return entries.every(({ place, stamp }) => stamp !== undefined && stamp === this.stampOf(place))
  }

  /**
   * Equal as long as nothing can have gone missing or been damaged: covers the paths in the home, and everything about the archive's files
   * that changes on a write. A Node.js that supports more codecs triggers a new check. `paths` null: the home is missing.
   */
  stateFor(paths: readonly string[] | null, archive = archiveStamp(dirname(this.path))): string {
    const hash = createHash('sha256').update(`${'zstdDecompress' in zlib}\n`)
    for (const path of paths ?? ['/']) hash.update(`${path}\n`)
    hash.update(`\n${archive}\n${this.identity()}`)
    return hash.digest('base64url')
  }

  /** The state of home and archive for which the list was last updated, and the condition of the archive then. */
  checked(): Checked | null {
    return checkedSchema.safeParse(this.#readSealed('checked.json')).data ?? null
  }

  setChecked(checked: Checked): void {
    this.#writeSealed('checked.json', checked)
  }

  #readSealed(name: string): unknown {
    try {
      const bytes = readFileSync(join(this.path, name))
      // earlier versions wrote plain JSON without a seal
      return bytes[0] === OPENING_BRACE ? JSON.parse(bytes.toString()) : openLine(bytes)
    } catch {
      return undefined
    }
  }

  #writeSealed(name: string, value: unknown): void {
    writeWhole(join(this.path, name), sealLine(value).toString())
  }
}

/** Covers the files that make up an archive. */
export function archiveStamp(archive: string): string {
  const names = ['archive.json', 'index', 'index.copy', ...packsIn(archive)]
  return names
    .map((name) => {
      const stats = lstatSync(join(archive, name), { bigint: true, throwIfNoEntry: false })
      return `${name} ${stats?.ino} ${stats?.mtimeNs} ${stats?.ctimeNs} ${stats?.size}`
    })
    .join('\n')
}

function packsIn(archive: string): string[] {
  try {
    const names = readdirSync(join(archive, 'packs')).filter((name) => name.endsWith('.pack'))
    return names.sort().map((name) => join('packs', name))
  } catch {
    return []
  }
}

/** Eight digits and a space. */
const SEAL_LENGTH = 9

/** A value as a line that can be verified: a checksum followed by its JSON. */
export function sealLine(value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value))
  return Buffer.concat([Buffer.from(`${sealOf(json)} `, 'latin1'), json, NEW_LINE])
}

/** @param line with or without its line end @throws if it is not what was written */
export function openLine(line: Buffer): unknown {
  const end = line.at(-1) === NEW_LINE[0] ? line.length - 1 : line.length
  const json = line.subarray(SEAL_LENGTH, end)
  if (line.toString('latin1', 0, SEAL_LENGTH) !== `${sealOf(json)} `) throw new Error('The line is damaged.')
  return JSON.parse(json.toString())
}

const NEW_LINE = Buffer.from('\n')

function sealOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0')
}
