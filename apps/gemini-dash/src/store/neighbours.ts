import type { IndexedGroup } from '@gemini-dash/session-index'
import type { Scan } from 'gemini-sessions/node'
import type { Catalog } from './catalog.ts'
import type { GroupedScan } from './group-scan.ts'
import { neighbourSources } from './neighbour-sources.ts'
import type { ReaderClient } from './reader/reader-client.ts'
import type { NeighbourSource } from './reader/session-source.ts'

/** The sessions known only from prompt logs and saved chats: read by the reader's thread, not indexed. */
export class Neighbours {
  readonly #catalog: Catalog
  readonly #reader: ReaderClient
  readonly #sources = new Map<string, NeighbourSource>()
  /** Sources that were not read as they are now. */
  readonly #lacking = new Map<string, NeighbourSource>()

  constructor(catalog: Catalog, reader: ReaderClient) {
    this.#catalog = catalog
    this.#reader = reader
  }

  /** Where a catalog group comes from, if it is one of these. */
  source(groupId: string): NeighbourSource | undefined {
    return this.#sources.get(groupId)
  }

  get isLacking(): boolean {
    return this.#lacking.size > 0
  }

  /** Groups with their rows, as they are to be remembered. */
  *rows(): IterableIterator<IndexedGroup> {
    for (const { id, fingerprint } of this.#sources.values()) {
      if (this.#lacking.has(id)) continue
      yield { id, fingerprint, sessions: this.#catalog.recordsOf(id), failure: null }
    }
  }

  /** What there is now; its rows come from what is remembered of it, as far as that is still true. */
  find(scan: Scan, { projects, groups }: GroupedScan, remembered: ReadonlyMap<string, IndexedGroup>): void {
    const sources = neighbourSources(scan, projects, groups)
    for (const id of this.#sources.keys()) {
      if (sources.has(id)) continue
      this.#sources.delete(id)
      this.#lacking.delete(id)
      this.#catalog.remove(id)
    }
    for (const source of sources.values()) {
      if (this.#sources.get(source.id)?.fingerprint === source.fingerprint) continue
      this.#sources.set(source.id, source)
      const known = remembered.get(source.id)
      if (known?.fingerprint === source.fingerprint) this.#put(source, known.sessions)
      else this.#lacking.set(source.id, source)
    }
  }

  async readLacking(): Promise<void> {
    for (const source of this.#lacking.values()) {
      this.#put(source, await this.#reader.ask('neighbours', { source }))
    }
  }

  #put(source: NeighbourSource, records: IndexedGroup['sessions']): void {
    this.#lacking.delete(source.id)
    const files = source.places.flatMap(({ logs, checkpoints }) => [...(logs ? [logs] : []), ...checkpoints])
    this.#catalog.put({ id: source.id, fingerprint: source.fingerprint, files }, records)
  }
}
