import type { KeepStatus } from '@gemini-dash/api'
import { formatCount, formatPlural } from '@gemini-dash/api/figures'
import type { Archive, ArchiveDamage, KeptFile } from '@gemini-dash/archive'
import { readSessionPath } from 'gemini-sessions'
import { z } from 'zod'

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
export const archiveStateSchema = z.object({
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
