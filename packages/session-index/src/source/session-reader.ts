import { type Session, type UnreadFile, unreadFiles } from 'gemini-sessions'
import type { ReadFault } from 'gemini-sessions/node'
import type { IndexGroup } from '../contract/index-group.ts'

/** Reads the files of a group and makes sessions of them. */
export type ReadGroup = (group: IndexGroup) => Promise<Session[]>

/** Files beyond this many bytes are not kept between two looks at them. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024

interface KeptGroup {
  fingerprint: string
  sessions: Session[]
  sizeBytes: number
}

/** Reads groups and keeps the last few, as the hits of a page and the next page often lie in the same ones. */
export class SessionReader {
  readonly #readGroup: ReadGroup
  readonly #onUnread: (groupId: string, files: UnreadFile[]) => void
  readonly #kept = new Map<string, KeptGroup>()
  #keptBytes = 0

  /** `onUnread` is told of files that the system does not let us read now; their paths are absolute. */
  constructor(readGroup: ReadGroup, onUnread: (groupId: string, files: UnreadFile[]) => void) {
    this.#readGroup = readGroup
    this.#onUnread = onUnread
  }

  /** Not kept: for work that passes over everything once. */
  async readOnce(group: IndexGroup): Promise<Session[]> {
    return this.#find(group) ?? (await this.#readNow(group))
  }

  async read(group: IndexGroup): Promise<Session[]> {
    const known = this.#find(group)
    if (known !== null) return known
    const sessions = await this.#readNow(group)
    this.forget(group.id)
    if (unreadIn(group, sessions).length > 0) return sessions
    const sizeBytes = group.files.reduce((sum, file) => sum + file.sizeBytes, 0)
    this.#kept.set(group.id, { fingerprint: group.fingerprint, sessions, sizeBytes })
    this.#keptBytes += sizeBytes
    this.#dropOldest()
    return sessions
  }

  forget(groupId: string): void {
    this.#keptBytes -= this.#kept.get(groupId)?.sizeBytes ?? 0
    this.#kept.delete(groupId)
  }

  /** What cannot be read is left out, and told. */
  async #readNow(group: IndexGroup): Promise<Session[]> {
    try {
      const sessions = await this.#readGroup(group)
      const unread = unreadIn(group, sessions)
      if (unread.length > 0) this.#tellUnread(group, unread)
      return sessions
    } catch (error) {
      if (!isReadFault(error)) throw error
      this.#tellUnread(group, [{ path: error.path, code: error.code }])
      return []
    }
  }

  #tellUnread({ id, files }: IndexGroup, unread: UnreadFile[]): void {
    const absolute = new Map(files.map(({ path, absolutePath }) => [path, absolutePath]))
    this.#onUnread(
      id,
      unread.map(({ path, code }) => ({ path: absolute.get(path) ?? path, code })),
    )
  }

  #find(group: IndexGroup): Session[] | null {
    const known = this.#kept.get(group.id)
    if (known === undefined || known.fingerprint !== group.fingerprint) return null
    // Moved to the end: the map's order is that of use.
    this.#kept.delete(group.id)
    this.#kept.set(group.id, known)
    return known.sessions
  }

  #dropOldest(): void {
    for (const id of this.#kept.keys()) {
      if (this.#keptBytes <= MAX_KEPT_BYTES || this.#kept.size === 1) return
      this.forget(id)
    }
  }
}

function unreadIn({ files, loose }: IndexGroup, sessions: readonly Session[]): UnreadFile[] {
  return unreadFiles(sessions, loose === undefined ? files : [])
}

/** The class is in a module that reads disks; a start that reads nothing does without. */
export function isReadFault(error: unknown): error is ReadFault {
  return error instanceof Error && error.name === 'ReadFault'
}
