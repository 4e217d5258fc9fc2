import type { IndexGroup } from '@gemini-dash/session-index'
import type { Catalog } from '../catalog/catalog.ts'

/** Which groups are on disk, and how far each of them is read. */
export class GroupStates {
  readonly #catalog: Catalog
  #present: readonly IndexGroup[] = []
  /** Files that were found, until it is known which groups they make; null from then on. */
  #expectedFiles: number | null = 0
  /** Fingerprints of the groups whose rows in the catalog are whole. */
  readonly #whole = new Map<string, string>()
  /** Groups that had grown when they were read: as far as that, their rows are whole. */
  readonly #behind = new Set<string>()
  /** How many readings of each group have ended. */
  readonly #ended = new Map<string, number>()
  /** Groups whose text the index lacks though their rows stand: it is to read them again. */
  readonly #lost = new Set<string>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  get present(): readonly IndexGroup[] {
    return this.#present
  }

  /** false: heads have yet to tell which groups there are. */
  get arePresentKnown(): boolean {
    return this.#expectedFiles === null
  }

  /** So many files were found; which groups they make, their heads have yet to tell. */
  expect(files: number): void {
    if (this.#expectedFiles !== null) this.#expectedFiles = files
  }

  setPresent(groups: readonly IndexGroup[]): void {
    this.#present = groups
    this.#expectedFiles = null
  }

  replacePresent(group: IndexGroup): void {
    this.#present = this.#present.map((known) => (known.id === group.id ? group : known))
  }

  /** The rows of the group stand as they are in its files now. */
  isWhole({ id, fingerprint }: IndexGroup): boolean {
    return this.#whole.get(id) === fingerprint
  }

  /** What grows without pause counts as read once it was read at all. */
  isShown(group: IndexGroup): boolean {
    return this.isWhole(group) || this.#behind.has(group.id)
  }

  /** What is to be read: what is not there as it is now, for rows or for searches. */
  unread(): IndexGroup[] {
    return this.#present.filter((group) => !this.isWhole(group) || this.#lost.has(group.id))
  }

  /** Groups whose rows are not those of their files as they are now. */
  notShown(): IndexGroup[] {
    return this.#present.filter((group) => !this.isShown(group))
  }

  hasAllRows(): boolean {
    if (this.#expectedFiles === null) return this.#present.every((group) => this.isShown(group))
    return this.#earlyProgress(this.#expectedFiles).filesDone === this.#expectedFiles
  }

  /** Groups that are not read yet. As long as heads have to tell which there are, nobody knows. */
  get left(): number {
    if (this.#expectedFiles !== null) return Number.POSITIVE_INFINITY
    return this.#present.filter((group) => !this.#isDone(group)).length
  }

  /** In session files; of these groups, or of all. */
  progress(groups: readonly IndexGroup[] | null = null): { filesDone: number; filesTotal: number } {
    if (groups === null && this.#expectedFiles !== null) return this.#earlyProgress(this.#expectedFiles)
    let filesDone = 0
    let filesTotal = 0
    for (const group of groups ?? this.#present) {
      if (group.loose !== undefined) continue
      filesTotal += group.files.length
      if (this.#isDone(group)) filesDone += group.files.length
    }
    return { filesDone, filesTotal }
  }

  /** `isBehind`: it has grown since that reading was begun. */
  noteWhole(groupId: string, fingerprint: string, isBehind: boolean): void {
    this.#whole.set(groupId, fingerprint)
    if (isBehind) this.#behind.add(groupId)
    else this.#behind.delete(groupId)
  }

  /** A reading has ended. true: the index had lost the group. */
  noteEnded(groupId: string): boolean {
    this.#ended.set(groupId, this.#endedOf(groupId) + 1)
    return this.#lost.delete(groupId)
  }

  /** Tells, whenever it is asked, whether of what is there now something was not read as it is now. */
  whatIsBehind(): () => boolean {
    const ended = new Map(this.#present.map(({ id }) => [id, this.#endedOf(id)]))
    const isBehind = (group: IndexGroup) => {
      const before = ended.get(group.id)
      const isAwaited = before !== undefined && this.#endedOf(group.id) < before + 2
      return isAwaited && !this.isWhole(group)
    }
    return () => this.#present.some(isBehind) || this.hasLost
  }

  get hasLost(): boolean {
    return this.#lost.size > 0
  }

  lose(groupId: string): void {
    this.#lost.add(groupId)
  }

  forget(groupId: string): void {
    this.#whole.delete(groupId)
    this.#behind.delete(groupId)
    this.#ended.delete(groupId)
    this.#lost.delete(groupId)
  }

  /** Shown, and found by searches. */
  #isDone(group: IndexGroup): boolean {
    return this.isShown(group) && !this.#lost.has(group.id)
  }

  #endedOf(groupId: string): number {
    return this.#ended.get(groupId) ?? 0
  }

  #earlyProgress(filesTotal: number): { filesDone: number; filesTotal: number } {
    const done = [...this.#whole.keys()].map((id) => this.#catalog.group(id)?.files.length ?? 0)
    return { filesDone: done.reduce((sum, files) => sum + files, 0), filesTotal }
  }
}
