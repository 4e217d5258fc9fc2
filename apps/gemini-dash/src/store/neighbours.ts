import type { ProjectIdentity, Scan } from 'gemini-sessions/node'
import type { Catalog } from './catalog.ts'
import type { ScannedGroup } from './group-scan.ts'
import { neighbourSources } from './neighbour-sources.ts'
import type { ReaderClient } from './reader/reader-client.ts'
import type { NeighbourSource } from './reader/session-source.ts'

/** The sessions known only from prompt logs and saved chats: read by the reader's thread, not indexed. */
export class Neighbours {
  readonly #catalog: Catalog
  readonly #reader: ReaderClient
  readonly #sources = new Map<string, NeighbourSource>()

  constructor(catalog: Catalog, reader: ReaderClient) {
    this.#catalog = catalog
    this.#reader = reader
  }

  /** Where a catalog group comes from, if it is one of these. */
  source(groupId: string): NeighbourSource | undefined {
    return this.#sources.get(groupId)
  }

  async refresh(
    scan: Scan,
    projects: readonly ProjectIdentity[],
    groups: readonly ScannedGroup[],
  ): Promise<void> {
    const sources = neighbourSources(scan, projects, groups)
    for (const id of this.#sources.keys()) {
      if (sources.has(id)) continue
      this.#sources.delete(id)
      this.#catalog.remove(id)
    }
    for (const source of sources.values()) {
      if (this.#sources.get(source.id)?.fingerprint !== source.fingerprint) await this.#read(source)
    }
  }

  async #read(source: NeighbourSource): Promise<void> {
    this.#sources.set(source.id, source)
    const records = await this.#reader.ask('neighbours', { source })
    const files = source.places.flatMap(({ logs, checkpoints }) => [...(logs ? [logs] : []), ...checkpoints])
    this.#catalog.put({ id: source.id, fingerprint: source.fingerprint, files }, records)
  }
}
