import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import zlib, { crc32 } from 'node:zlib'
import type { KeepStatus } from '@gemini-dash/api'
import { formatCount, formatPlural } from '@gemini-dash/api/figures'
import type { Archive, ArchiveDamage, KeptFile } from '@gemini-dash/archive'
import { keptCopySchema, readSessionPath } from 'gemini-sessions'
import { z } from 'zod'
import { writeWhole } from '../own-data/own-file.ts'

/** Number of places that are listed individually. */
const MOST_PLACES = 20

const damageSchema = z.object({
  /** Number of sessions with something that cannot be restored. */
  affected: z.number(),
  /** Number of sessions that the archive contains, or contained. */
  sessions: z.number(),
  /** Number of files beside sessions that belong to no session, or to an unknown one. */
  otherFiles: z.number(),
  /** The index was lost as well. */
  isDoubtful: z.boolean(),
  /** The first files of the archive that differ from what was written, and how, in words. */
  places: z.array(z.string()),
})
const lostSchema = z.object({ sessions: z.number(), files: z.number() })

/** State of an archive: unrepaired damage, and what a repair gave up. */
const archiveStateSchema = z.object({
  damage: damageSchema.nullable(),
  lost: lostSchema.nullable(),
})
export type ArchiveState = z.infer<typeof archiveStateSchema>

export const WHOLE: ArchiveState = { damage: null, lost: null }

const REPAIR =
  '"gemini-dash keep repair" restores what it can, also from files that are still in the Gemini folder, and lists what is lost.'

/** For an archive that was refreshed and checked. */
export function stateOf(archive: Archive): ArchiveState {
  const damage = archive.damage()
  const lost = lostVersions(archive)
  return {
    damage: damage === null ? null : countDamage(archive, damage),
    lost:
      lost.length === 0
        ? null
        : { sessions: affectedSessions(archive, lost).affected.size, files: countFiles(lost) },
  }
}

/** What a repair could not restore, and has not been restored since. */
export function lostVersions(archive: Archive): ArchiveDamage['versions'] {
  return archive.damagedVersions().filter(({ version }) => version.lost !== null)
}

/** Sum over several homes. */
export function sumStates(states: readonly ArchiveState[]): ArchiveState {
  const damages = states.flatMap(({ damage }) => damage ?? [])
  const losses = states.flatMap(({ lost }) => lost ?? [])
  const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
    items.reduce((total, item) => total + of(item), 0)
  return {
    damage:
      damages.length === 0
        ? null
        : {
            affected: sum(damages, ({ affected }) => affected),
            sessions: sum(damages, ({ sessions }) => sessions),
            otherFiles: sum(damages, ({ otherFiles }) => otherFiles),
            isDoubtful: damages.some(({ isDoubtful }) => isDoubtful),
            places: damages.flatMap(({ places }) => places).slice(0, MOST_PLACES),
          },
    lost:
      losses.length === 0
        ? null
        : { sessions: sum(losses, ({ sessions }) => sessions), files: sum(losses, ({ files }) => files) },
  }
}

/** One sentence about the damage, and one about what to do. */
export function describeDamage(damage: NonNullable<ArchiveState['damage']>): {
  message: string
  advice: string
} {
  const { affected, sessions, otherFiles, isDoubtful } = damage
  const others = otherFiles > 0 ? `, and ${formatPlural(otherFiles, 'file')} beside sessions` : ''
  const doubt = isDoubtful ? ' Its index was lost too, so more may be missing.' : ''
  return {
    message: `The archive is damaged: ${formatCount(affected)} of ${formatPlural(sessions, 'session')} affected${others}.${doubt}`,
    advice: REPAIR,
  }
}

export function describeLost({ sessions, files }: NonNullable<ArchiveState['lost']>): string {
  return `Lost permanently: ${formatPlural(files, 'file')} of ${formatPlural(sessions, 'session')}, in whole or in an earlier version. To archive them again, restore a backup to the Gemini folder.`
}

/** For `KeepStatus`. */
export function toKeptDamage(damage: ArchiveState['damage']): KeepStatus['damage'] {
  if (damage === null) return null
  const { affected, sessions, otherFiles, places } = damage
  return { affected, sessions, otherFiles, places, ...describeDamage(damage) }
}

function countDamage(archive: Archive, damage: ArchiveDamage): ArchiveState['damage'] {
  const { affected, others } = affectedSessions(archive, damage.versions)
  const places = [
    ...(damage.isTitleLost ? ['archive.json is damaged'] : []),
    ...damage.places.map(describePlace),
  ]
  return {
    affected: affected.size,
    sessions: sessionsIn(archive).size,
    otherFiles: others.size,
    isDoubtful: damage.isDoubtful,
    places: places.slice(0, MOST_PLACES),
  }
}

/** `Archive.places` */
function describePlace(place: string): string {
  const [pack = '', what = ''] = place.split(' ')
  const name = `packs/${pack.padStart(6, '0')}.pack`
  if (what === 'missing') return `${name} is missing`
  return what === 'another' ? `${name} is another file` : `${name} is damaged or cut at byte ${what}`
}

function affectedSessions(
  archive: Archive,
  versions: ArchiveDamage['versions'],
): { affected: Set<string>; others: Set<string> } {
  const logs = [...archive.manifest.files()].filter(isOfSession)
  const known = new Set(logs.map(sessionOf))
  const affected = new Set<string>()
  const others = new Set<string>()
  for (const { file } of versions) {
    const session = [sessionOf(file), ownerOf(file)].find((id) => id !== null && known.has(id))
    if (session == null) others.add(file.path)
    else affected.add(session)
  }
  return { affected, others }
}

function countFiles(versions: ArchiveDamage['versions']): number {
  return new Set(versions.map(({ file }) => file.path)).size
}

function sessionsIn(archive: Archive): Set<string> {
  return new Set(heldFiles(archive).flatMap((file) => (isOfSession(file) ? [sessionOf(file)] : [])))
}

/** Files with a version that can be restored, or was not given up yet. */
export function heldFiles(archive: Archive): KeptFile[] {
  return [...archive.manifest.files()].filter(({ versions }) =>
    versions.some((version) => version.lost === null || archive.isWhole(version)),
  )
}

/** A log, the rows of a conversation or its transcript: the files that a session is read from. */
export function isOfSession({ path, label }: Pick<KeptFile, 'path' | 'label'>): boolean {
  return label.kind === 'session' || (label.kind === 'conversation' && /\.(db|jsonl)$/.test(path))
}

/** Files with the same id are one session, even in different folders: the CLI copied them when it gave folders names. */
export function sessionOf({ path, label }: Pick<KeptFile, 'path' | 'label'>): string {
  return label.sessionId ?? path
}

/** The parent session of a sub-agent. */
function ownerOf({ path }: KeptFile): string | null {
  return readSessionPath(path).parentId
}

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
