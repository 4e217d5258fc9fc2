import type { UnreadFile } from 'gemini-sessions'
import type { Catalog } from './catalog.ts'
import { areKnown, markUnread, withoutUnread } from './mark-unread.ts'

export interface UnlistedGroupsOptions {
  catalog: Catalog
  emitChanged: (groupId: string) => void
}

/** Marks the rows of sessions that lie where we cannot look just now: they are shown as they were known. */
export class UnlistedGroups {
  readonly #options: UnlistedGroupsOptions
  #marked = new Set<string>()

  constructor(options: UnlistedGroupsOptions) {
    this.#options = options
  }

  /** Absolute paths. */
  set(files: readonly UnreadFile[]): void {
    const { catalog, emitChanged } = this.#options
    const filesByGroup = new Map<string, UnreadFile[]>()
    for (const file of files) {
      const id = catalog.groupOfFile(file.path)
      if (id !== undefined) filesByGroup.set(id, [...(filesByGroup.get(id) ?? []), file])
    }
    for (const id of new Set([...this.#marked, ...filesByGroup.keys()])) {
      const group = catalog.group(id)
      const own = filesByGroup.get(id)
      const records = catalog.recordsOf(id)
      if (group === undefined || (own !== undefined && !areKnown(records))) continue
      const shown = own === undefined ? withoutUnread(records) : markUnread(records, own, true)
      catalog.put(group, shown, catalog.sourceOf(id))
      if (own === undefined || !this.#marked.has(id)) emitChanged(id)
    }
    this.#marked = new Set(filesByGroup.keys())
  }
}
