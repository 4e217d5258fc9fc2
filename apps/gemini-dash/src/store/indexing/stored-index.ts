import type { IndexedGroup, IndexGroup, OnIndexed, SessionIndex } from '@gemini-dash/session-index'

/** The fingerprint of no group: whoever finds it stored reads the group. */
export const NOT_READ = 'not read'

/** The index, and how far what it holds is known. */
export class StoredIndex {
  readonly #openIndex: () => Promise<SessionIndex>
  /** null until it is open. */
  #index: SessionIndex | null = null
  /** Fingerprints of what it holds or was asked to read; null until they were asked for. */
  #stored: Map<string, string> | null = null

  /** `openIndex` opens it, the first time that it is called. */
  constructor(openIndex: () => Promise<SessionIndex>) {
    this.#openIndex = openIndex
  }

  get isUp(): boolean {
    return this.#index?.isUp() ?? true
  }

  async open(): Promise<SessionIndex> {
    const index = await this.#openIndex()
    this.#index = index
    // What it loses from now on it tells.
    this.#stored ??= await index.fingerprints()
    return index
  }

  /** As the group is now. */
  holds({ id, fingerprint }: IndexGroup): boolean {
    return this.#stored?.get(id) === fingerprint
  }

  note(groupId: string, fingerprint: string): void {
    this.#stored?.set(groupId, fingerprint)
  }

  lose(groupIds: readonly string[]): void {
    for (const id of groupIds) this.#stored?.delete(id)
  }

  /** Those of the groups that it holds as they are now, by id. What cannot be loaded is missing. */
  async load(groups: readonly IndexGroup[]): Promise<Map<string, IndexedGroup>> {
    const index = await this.open()
    const ids = groups.filter((group) => this.holds(group)).map(({ id }) => id)
    const loaded = ids.length === 0 ? [] : await index.load(ids).catch(() => [])
    return new Map(loaded.map((group) => [group.id, group]))
  }

  async removeOthers(groups: readonly IndexGroup[]): Promise<void> {
    const index = await this.open()
    const present = new Set(groups.map(({ id }) => id))
    const gone = [...(this.#stored?.keys() ?? [])].filter((id) => !present.has(id))
    this.lose(gone)
    if (gone.length > 0) await index.remove(gone)
  }

  /** `isPresent` is asked when the index is open: what is gone by then is not read. */
  async update(
    groups: readonly IndexGroup[],
    isPresent: (groupId: string) => boolean,
    onIndexed: OnIndexed,
  ): Promise<void> {
    const index = await this.#openIndex()
    const present = groups.filter(({ id }) => isPresent(id))
    // From now on it may hold something of them.
    for (const { id } of present) if (!this.#stored?.has(id)) this.note(id, NOT_READ)
    await index.update(present, onIndexed)
  }
}
