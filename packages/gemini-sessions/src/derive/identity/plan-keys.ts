import type { FileKeys } from '../../model/session.ts'
import { type GroupClaims, placeOfFile } from './assign-keys.ts'
import { placeKey } from './keys.ts'

/** A session file, as far as its keys depend on it. */
export interface PlannedFile {
  home: string
  /** Relative to the home. */
  path: string
  /** `groupFiles`: of the group that it belongs to. */
  groupId: string
  /** Hash of its id and start, as far as its first bytes tell them. */
  start: string
  /** They tell both. */
  isCertain: boolean
  /** Its `projectHash` is that of the project whose folder it is in. */
  isProven: boolean
}

/** Keys that earlier runs gave to files. */
export interface KeyRecord {
  /** null: this file was never seen. */
  keysOf(file: { home: string; path: string }): FileKeys | null
  /** `conversationOrigin` of the conversation that has or had this key; undefined: no conversation ever had it. */
  originOf(key: string): string | null | undefined
}

/** Nothing was seen before. */
export const NO_KEY_RECORD: KeyRecord = { keysOf: () => null, originOf: () => undefined }

/**
 * What has to be known about the keys of each group before it is read, by group; groups that need nothing are left out. A key
 * stays with the files that it was recorded for. Of files that nothing is recorded for, those in the folder that their
 * `projectHash` proves come first, then the order of paths decides: never the order in which files were found.
 */
export function planKeys(files: readonly PlannedFile[], record: KeyRecord): Map<string, GroupClaims> {
  const known = files.map((file) => toKnown(file, record)).sort(byRank)
  const holders = holdersOf(known)
  const starts = new Set(known.map(({ groupId, start }) => `${groupId}\n${start}`))
  const plan = new KeyPlan()
  const unrecorded = new Map<string, KnownFile[]>()
  for (const file of known) {
    const { groupId, start, recorded } = file
    if (recorded !== null && holders.get(recorded.session) === groupId) {
      if (!isDefault(file, starts, holders)) plan.needsRecorded(groupId)
      continue
    }
    if (recorded !== null) plan.take(groupId, recorded.session)
    unrecorded.set(start, [...(unrecorded.get(start) ?? []), file])
  }
  for (const [start, claimants] of unrecorded) {
    const owner = holders.get(start) ?? claimants[0]?.groupId
    const isHeld = holders.has(start)
    const origin = record.originOf(start)
    for (const { groupId, path } of claimants) {
      const ofPlace = placeKey(start, path)
      const earlier = record.originOf(ofPlace)
      if (earlier !== undefined) plan.orphan(groupId, ofPlace, earlier)
      if (groupId !== owner) plan.take(groupId, start)
      else if (isHeld) plan.needsRecorded(groupId)
      else if (origin !== undefined) plan.orphan(groupId, start, origin)
    }
  }
  return plan.finish(known)
}

interface KnownFile extends PlannedFile {
  /** null where the file by this path is another one than the one that was recorded. */
  recorded: FileKeys | null
}

function toKnown(file: PlannedFile, record: KeyRecord): KnownFile {
  const recorded = record.keysOf(file)
  const start = file.isCertain ? file.start : (recorded?.start ?? file.start)
  return { ...file, start, recorded: recorded?.start === start ? recorded : null }
}

/** The group to which each recorded key leads. Files of one session can have become files of two projects: the first has it. */
function holdersOf(files: readonly KnownFile[]): Map<string, string> {
  const holders = new Map<string, string>()
  for (const { recorded, groupId } of files) {
    for (const key of recorded === null ? [] : [recorded.session, recorded.file])
      if (!holders.has(key)) holders.set(key, groupId)
  }
  return holders
}

/** Its keys are those that it would have if nothing were recorded. */
function isDefault(
  { start, groupId, recorded }: KnownFile,
  starts: ReadonlySet<string>,
  holders: ReadonlyMap<string, string>,
): boolean {
  if (recorded === null || recorded.file !== start || holders.get(start) !== groupId) return false
  return recorded.session === start || starts.has(`${groupId}\n${recorded.session}`)
}

class KeyPlan {
  readonly #taken = new Map<string, Set<string>>()
  readonly #orphaned = new Map<string, Record<string, string | null>>()
  readonly #withRecorded = new Set<string>()

  take(groupId: string, key: string): void {
    this.#taken.set(groupId, (this.#taken.get(groupId) ?? new Set()).add(key))
  }

  orphan(groupId: string, key: string, origin: string | null): void {
    this.#orphaned.set(groupId, { ...this.#orphaned.get(groupId), [key]: origin })
  }

  needsRecorded(groupId: string): void {
    this.#withRecorded.add(groupId)
  }

  finish(files: readonly KnownFile[]): Map<string, GroupClaims> {
    const recorded = new Map<string, Record<string, FileKeys>>()
    for (const file of files) {
      if (file.recorded === null || !this.#withRecorded.has(file.groupId)) continue
      recorded.set(file.groupId, { ...recorded.get(file.groupId), [placeOfFile(file)]: file.recorded })
    }
    const ids = new Set([...this.#taken.keys(), ...this.#orphaned.keys(), ...recorded.keys()])
    return new Map(
      [...ids].map((id): [string, GroupClaims] => [
        id,
        {
          ...(recorded.has(id) && { recorded: recorded.get(id) }),
          ...(this.#taken.has(id) && { taken: [...(this.#taken.get(id) ?? [])].sort() }),
          ...(this.#orphaned.has(id) && { orphaned: this.#orphaned.get(id) }),
        },
      ]),
    )
  }
}

function byRank(a: PlannedFile, b: PlannedFile): number {
  const rank = ({ isProven, path, home }: PlannedFile) => `${isProven ? 0 : 1}\n${path}\n${home}`
  return rank(a) < rank(b) ? -1 : 1
}
