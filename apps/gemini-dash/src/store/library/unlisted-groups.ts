import type { IndexGroup } from '@gemini-dash/session-index'
import type { UnreadFile } from 'gemini-sessions'
import type { Catalog } from '../catalog/catalog.ts'
import { areKnown, markUnread, withoutUnread } from '../catalog/mark-unread.ts'

interface KnownGroups {
  readonly catalog: Catalog
  readonly indexing: { readonly events: { changed: (groupId: string) => void } }
}

/** Marks the rows of sessions that lie where we cannot look just now: they are shown as they were known. */
export class UnlistedGroups {
  readonly #known: KnownGroups
  /** By absolute path. */
  #files: ReadonlyMap<string, UnreadFile> = new Map()
  #marked = new Set<string>()

  constructor(known: KnownGroups) {
    this.#known = known
  }

  /** Absolute paths. Returns the groups that can be looked at again. */
  set(files: readonly UnreadFile[]): string[] {
    const { catalog, indexing } = this.#known
    this.#files = new Map(files.map((file) => [file.path, file]))
    const reachable = [...this.#marked].filter((id) => this.#ownFiles(id) === undefined)
    for (const id of reachable) {
      this.#marked.delete(id)
      const group = catalog.group(id)
      if (group === undefined) continue
      catalog.put(group, withoutUnread(catalog.recordsOf(id)), catalog.sourceOf(id))
      indexing.events.changed(id)
    }
    const groupIds = new Set(files.flatMap(({ path }) => catalog.groupOfFile(path) ?? []))
    for (const id of groupIds) this.mark(id)
    return reachable
  }

  /** undefined: all that belongs to the group can be looked at. */
  filesOf({ files }: IndexGroup): UnreadFile[] | undefined {
    if (this.#files.size === 0) return undefined
    const own = files.flatMap(({ absolutePath }) => this.#files.get(absolutePath) ?? [])
    return own.length === 0 ? undefined : own
  }

  /** To be called when rows of a group came from somewhere else. */
  mark(groupId: string): void {
    const { catalog, indexing } = this.#known
    const own = this.#ownFiles(groupId)
    const group = catalog.group(groupId)
    const records = catalog.recordsOf(groupId)
    if (own === undefined || group === undefined || !areKnown(records)) return
    const isNew = !this.#marked.has(groupId)
    this.#marked.add(groupId)
    catalog.put(group, markUnread(records, own, true), catalog.sourceOf(groupId))
    if (isNew) indexing.events.changed(groupId)
  }

  #ownFiles(groupId: string): UnreadFile[] | undefined {
    const group = this.#known.catalog.group(groupId)
    return group && this.filesOf(group)
  }
}
