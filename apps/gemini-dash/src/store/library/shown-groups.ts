import type { LiveEvent } from '@gemini-dash/api'
import type { IndexedGroup, IndexGroup, SessionRecord } from '@gemini-dash/session-index'
import { TimeSlice } from 'gemini-sessions/node'
import type { Catalog } from '../catalog/catalog.ts'
import type { LiveSessions } from '../catalog/live-sessions.ts'
import { provisionalRecord } from '../catalog/provisional-record.ts'
import type { Indexing } from '../indexing/indexing.ts'
import type { ScannedGroup } from './group-scan.ts'

type Remembered = ReadonlyMap<string, IndexedGroup>

export interface ShownGroupsLibrary {
  catalog: Catalog
  live: LiveSessions
  indexing: Indexing
}

/** Gives groups rows before they are read, and takes out those that are gone. */
export class ShownGroups {
  readonly #library: ShownGroupsLibrary
  readonly #emit: (event: LiveEvent) => void

  constructor(library: ShownGroupsLibrary, emit: (event: LiveEvent) => void) {
    this.#library = library
    this.#emit = emit
  }

  /** For the groups that nothing else is known of. In slices: of ten thousand they take half a second. */
  async rowsFromHeads(
    groups: readonly ScannedGroup[],
    remembered: Remembered,
  ): Promise<ReadonlyMap<string, SessionRecord>> {
    const rows = new Map<string, SessionRecord>()
    const slice = new TimeSlice()
    for (const group of groups) {
      if (slice.isOver()) await slice.next()
      const known = [this.#library.catalog.group(group.id), remembered.get(group.id)]
      const isKnown = known.some((earlier) => earlier?.fingerprint === group.fingerprint)
      if (!isKnown) rows.set(group.id, provisionalRecord(group, group.heads))
    }
    return rows
  }

  /** As they are remembered, else from their heads. */
  putAll(
    groups: readonly ScannedGroup[],
    remembered: Remembered,
    fromHeads: ReadonlyMap<string, SessionRecord>,
  ): void {
    const { indexing } = this.#library
    for (const group of groups) {
      const known = remembered.get(group.id)
      if (indexing.take(group, known)) continue
      if (known !== undefined) indexing.keepEarlier(group.id, known.sessions)
      this.announce(group, fromHeads.get(group.id))
    }
  }

  /** Loose groups have no heads. */
  putLoose(groups: readonly IndexGroup[], remembered: Remembered): void {
    const { catalog, indexing } = this.#library
    for (const group of groups) {
      if (!indexing.take(group, remembered.get(group.id))) catalog.put(group, catalog.recordsOf(group.id))
    }
  }

  /** A new group gets a row from its heads at once; a grown one keeps its rows until it is read. */
  announce(group: ScannedGroup, fromHeads?: SessionRecord): void {
    const { catalog, indexing, live } = this.#library
    const earlier = catalog.group(group.id)
    if (earlier?.fingerprint === group.fingerprint) return
    if (earlier !== undefined && indexing.isComplete) live.noteGrowth(earlier, group)
    this.#removeTakenUp(group)
    const known = catalog.recordsOf(group.id)
    const isRead = known.some(({ summary }) => summary.indexed === 'full')
    catalog.put(group, isRead ? known : [fromHeads ?? provisionalRecord(group, group.heads)])
  }

  /** A group all of whose files belong to this one: the file that tells it was not looked at before. */
  #removeTakenUp({ id, files }: IndexGroup): void {
    const { catalog } = this.#library
    const paths = new Set(files.map(({ absolutePath }) => absolutePath))
    for (const other of new Set([...paths].flatMap((path) => catalog.groupOfFile(path) ?? [])))
      if (other !== id && catalog.group(other)?.files.every(({ absolutePath }) => paths.has(absolutePath)))
        catalog.remove(other)
  }

  /** One that is shown was written on: it is read again. */
  grow(group: IndexGroup, grown: IndexGroup): void {
    const { catalog, indexing, live } = this.#library
    live.noteGrowth(group, grown)
    catalog.put(grown, catalog.recordsOf(group.id))
    indexing.groups.replacePresent(grown)
    indexing.start([grown])
  }

  /** Those in the catalog that only have rows from their heads. */
  unread(): IndexGroup[] {
    const { catalog } = this.#library
    const isRead = (id: string) => catalog.recordsOf(id).every(({ summary }) => summary.indexed === 'full')
    return [...catalog.groupIds()].flatMap((id) => (isRead(id) ? [] : (catalog.group(id) ?? [])))
  }

  /** Answers the keys of the sessions that are gone. */
  removeGone(groups: readonly IndexGroup[]): string[] {
    const { catalog, indexing } = this.#library
    const present = new Set(groups.map(({ id }) => id))
    const gone = [...catalog.groupIds()].filter((id) => !present.has(id))
    const goneKeys = gone.flatMap((id) => catalog.sessionsOf(id).map(({ summary }) => summary.key))
    for (const id of gone) {
      catalog.remove(id)
      indexing.forget(id)
    }
    for (const sessionKey of goneKeys) this.#emit({ kind: 'removed', sessionKey })
    return goneKeys
  }
}
