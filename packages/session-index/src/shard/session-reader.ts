import { type Session, unreadFiles } from 'gemini-sessions'
import type { IndexGroup } from '../index-group.ts'

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
  readonly #kept = new Map<string, KeptGroup>()
  #keptBytes = 0

  constructor(readGroup: ReadGroup) {
    this.#readGroup = readGroup
  }

  /** Not kept: for work that passes over everything once. */
  async readOnce(group: IndexGroup): Promise<Session[]> {
    return this.#find(group) ?? (await this.#readGroup(group))
  }

  async read(group: IndexGroup): Promise<Session[]> {
    const known = this.#find(group)
    if (known !== null) return known
    const sessions = await this.#readGroup(group)
    this.forget(group.id)
    if (unreadFiles(sessions).length > 0) return sessions
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
