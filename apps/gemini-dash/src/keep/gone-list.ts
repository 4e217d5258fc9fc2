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

/** Named one by one. */
const MOST_PLACES = 20

const damageSchema = z.object({
  /** Sessions of which something cannot be given back. */
  affected: z.number(),
  /** That the archive holds, or held. */
  sessions: z.number(),
  /** Files beside sessions, which are of none or of no session that is known. */
  otherFiles: z.number(),
  /** The index was lost, too. */
  isDoubtful: z.boolean(),
  /** The first files of the archive that are not what was written, and how, in words. */
  places: z.array(z.string()),
})
const lostSchema = z.object({ sessions: z.number(), files: z.number() })

/** How an archive is: what is damaged and was not repaired, and what a repair gave up. */
const archiveStateSchema = z.object({
  damage: damageSchema.nullable(),
  lost: lostSchema.nullable(),
})
export type ArchiveState = z.infer<typeof archiveStateSchema>

export const WHOLE: ArchiveState = { damage: null, lost: null }

const REPAIR =
  '"gemini-dash keep repair" brings back what it can, also from files that are still in the home, and names what is lost.'

/** Of an archive that was refreshed and proven. */
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

/** What a repair could not bring back, and nobody has since. */
export function lostVersions(archive: Archive): ArchiveDamage['versions'] {
  return archive.damagedVersions().filter(({ version }) => version.lost !== null)
}

/** Of several homes. */
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

/** In a sentence, and what to do about it in another. */
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
  return `Lost for good: ${formatPlural(files, 'file')} of ${formatPlural(sessions, 'session')}, in whole or in an earlier version. A backup put back in the home is kept again.`
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

/** Files of which a version can be given back, or was not given up yet. */
export function heldFiles(archive: Archive): KeptFile[] {
  return [...archive.manifest.files()].filter(({ versions }) =>
    versions.some((version) => version.lost === null || archive.isWhole(version)),
  )
}

/** A log, the rows of a conversation or a transcript of it: what a session is read from. */
export function isOfSession({ path, label }: Pick<KeptFile, 'path' | 'label'>): boolean {
  return label.kind === 'session' || (label.kind === 'conversation' && /\.(db|jsonl)$/.test(path))
}

/** Files of one id are one session, whatever folder they lie in: the CLI copied them when it gave folders names. */
export function sessionOf({ path, label }: Pick<KeptFile, 'path' | 'label'>): string {
  return label.sessionId ?? path
}

/** Of a sub-agent, the session that it worked for. */
function ownerOf({ path }: KeptFile): string | null {
  return readSessionPath(path).parentId
}

const OPENING_BRACE = '{'.charCodeAt(0)

const checkedSchema = z.object({ state: z.string(), archive: archiveStateSchema })
type Checked = z.infer<typeof checkedSchema>

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
  /** What the file was when it was written or proven last; without it it has to be proven. */
  stamp: z.string().optional(),
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
    return goneListSchema.safeParse(this.#readSealed('gone.json')).data ?? NOTHING_GONE
  }

  write(list: GoneList): void {
    this.#writeSealed('gone.json', list)
  }

  /** Changes with every writing of a file that was brought out; null: it is not there. */
  stampOf(place: string): string | null {
    const stats = lstatSync(join(this.files, place), { bigint: true, throwIfNoEntry: false })
    return stats?.isFile() === true ? `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.size}` : null
  }

  /** All that the list names is there as it was written. */
  isIntact({ entries }: GoneList): boolean {
    return entries.every(({ place, stamp }) => stamp !== undefined && stamp === this.stampOf(place))
  }

  /**
   * Equal as long as nothing can have gone or been damaged: for the paths that a home holds, and the files of its archive by all
   * that changes with every writing. A Node that can read more of them looks again. `paths` null: the home is not there.
   */
  stateFor(paths: readonly string[] | null, archive = archiveStamp(dirname(this.path))): string {
    const hash = createHash('sha256').update(`${'zstdDecompress' in zlib}\n`)
    for (const path of paths ?? ['/']) hash.update(`${path}\n`)
    hash.update(`\n${archive}\n${this.identity()}`)
    return hash.digest('base64url')
  }

  /** Of which files of the home, and of which archive, the list was made last, and how that archive was. */
  checked(): Checked | null {
    return checkedSchema.safeParse(this.#readSealed('checked.json')).data ?? null
  }

  setChecked(checked: Checked): void {
    this.#writeSealed('checked.json', checked)
  }

  #readSealed(name: string): unknown {
    try {
      const bytes = readFileSync(join(this.path, name))
      // before it was sealed it was JSON alone
      return bytes[0] === OPENING_BRACE ? JSON.parse(bytes.toString()) : openLine(bytes)
    } catch {
      return undefined
    }
  }

  #writeSealed(name: string, value: unknown): void {
    writeWhole(join(this.path, name), sealLine(value).toString())
  }
}

/** Of the files that an archive is made of. */
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

/** A value as a line that tells whether it is what was written: a checksum before its JSON. */
export function sealLine(value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value))
  return Buffer.concat([Buffer.from(`${sealOf(json)} `, 'latin1'), json, NEW_LINE])
}

/** @param line with or without its end @throws if it is not what was written */
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
