import type { IndexGroup } from '@gemini-dash/session-index'
import type { UnreadFile } from 'gemini-sessions'
import type { Catalog } from '../catalog/catalog.ts'
import { areKnown, markUnread, withoutUnread } from '../catalog/mark-unread.ts'

export interface UnlistedGroupsOptions {
  catalog: Catalog
  emitChanged: (groupId: string) => void
}

/** Marks the rows of sessions that lie where we cannot look just now: they are shown as they were known. */
export class UnlistedGroups {
  readonly #options: UnlistedGroupsOptions
  /** By absolute path. */
  #files: ReadonlyMap<string, UnreadFile> = new Map()
  #marked = new Set<string>()

  constructor(options: UnlistedGroupsOptions) {
    this.#options = options
  }

  /** Absolute paths. Returns the groups that can be looked at again. */
  set(files: readonly UnreadFile[]): string[] {
    const { catalog, emitChanged } = this.#options
    this.#files = new Map(files.map((file) => [file.path, file]))
    const reachable = [...this.#marked].filter((id) => this.#ownFiles(id) === undefined)
    for (const id of reachable) {
      this.#marked.delete(id)
      const group = catalog.group(id)
      if (group === undefined) continue
      catalog.put(group, withoutUnread(catalog.recordsOf(id)), catalog.sourceOf(id))
      emitChanged(id)
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
    const { catalog, emitChanged } = this.#options
    const own = this.#ownFiles(groupId)
    const group = catalog.group(groupId)
    const records = catalog.recordsOf(groupId)
    if (own === undefined || group === undefined || !areKnown(records)) return
    const isNew = !this.#marked.has(groupId)
    this.#marked.add(groupId)
    catalog.put(group, markUnread(records, own, true), catalog.sourceOf(groupId))
    if (isNew) emitChanged(groupId)
  }

  #ownFiles(groupId: string): UnreadFile[] | undefined {
    const group = this.#options.catalog.group(groupId)
    return group && this.filesOf(group)
  }
}
