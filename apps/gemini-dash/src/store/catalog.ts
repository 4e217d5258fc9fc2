import type { IndexGroup, SessionRecord } from '@gemini-dash/session-index'
import { linkSubagents, type SessionSummary } from 'gemini-sessions'
import type { ProjectIdentity } from 'gemini-sessions/node'

/** A group of files and what is known of the sessions in it. */
interface Entry {
  group: IndexGroup
  records: SessionRecord[]
  /** Keys that were sent before the group was read whole, and are no session's key now. */
  earlierKeys: string[]
}

/** A session with all that the store knows of it. */
export interface CatalogSession {
  summary: SessionSummary
  record: SessionRecord
  groupId: string
  ownKeys: readonly string[]
}

const UNKNOWN_PROJECT = { key: 'unknown', name: 'unknown', path: null }

/** Everything found so far, in memory: groups of files, their sessions, the projects. Knows neither disk nor index. */
export class Catalog {
  readonly #entries = new Map<string, Entry>()
  #projects: ProjectIdentity[] = []
  readonly #projectByFolder = new Map<string, SessionSummary['project']>()
  readonly #groupByFile = new Map<string, string>()
  #linked: Map<string, CatalogSession> | null = null
  #revision = 0

  /** Grows with every change of a row. */
  get revision(): number {
    return this.#revision
  }

  setProjects(projects: ProjectIdentity[]): void {
    this.#projects = projects
    this.#projectByFolder.clear()
    for (const { key, name, path, folders } of projects) {
      for (const folder of folders) this.#projectByFolder.set(folder, { key, name, path })
    }
    this.#linked = null
  }

  projects(): readonly ProjectIdentity[] {
    return this.#projects
  }

  put(group: IndexGroup, records: SessionRecord[]): void {
    const earlier = this.#entries.get(group.id)
    const keys = new Set(records.flatMap(({ summary, ownKeys }) => [summary.key, ...ownKeys]))
    const earlierKeys = [
      ...(earlier?.earlierKeys ?? []),
      ...(earlier?.records ?? []).map(({ summary }) => summary.key),
    ].filter((key) => !keys.has(key))
    for (const { absolutePath } of group.files) this.#groupByFile.set(absolutePath, group.id)
    this.#entries.set(group.id, { group, records, earlierKeys: [...new Set(earlierKeys)] })
    this.#revision += 1
    this.#linked = null
  }

  remove(groupId: string): void {
    for (const { absolutePath } of this.group(groupId)?.files ?? []) this.#groupByFile.delete(absolutePath)
    this.#entries.delete(groupId)
    this.#revision += 1
    this.#linked = null
  }

  group(groupId: string): IndexGroup | undefined {
    return this.#entries.get(groupId)?.group
  }

  groupOfFile(absolutePath: string): string | undefined {
    return this.#groupByFile.get(absolutePath)
  }

  recordsOf(groupId: string): SessionRecord[] {
    return this.#entries.get(groupId)?.records ?? []
  }

  groupIds(): IterableIterator<string> {
    return this.#entries.keys()
  }

  /** The sessions of one group, as linked with all others. */
  sessionsOf(groupId: string): CatalogSession[] {
    return [...this.sessions().values()].filter((session) => session.groupId === groupId)
  }

  /** All sessions by key, with parents, sub-agents and projects filled in. */
  sessions(): ReadonlyMap<string, CatalogSession> {
    this.#linked ??= this.#link()
    return this.#linked
  }

  #link(): Map<string, CatalogSession> {
    const found = [...this.#entries.values()].flatMap((entry) =>
      entry.records.map((record, index) => ({
        record,
        groupId: entry.group.id,
        project: this.#projectOf(entry.group),
        // A key that was sent for the group as a whole now means its first session.
        ownKeys: index === 0 ? [...record.ownKeys, ...entry.earlierKeys] : record.ownKeys,
      })),
    )
    found.sort((a, b) => compareText(placeOf(a.record), placeOf(b.record)))
    const keys = uniqueKeys(found.map(({ record }) => record.summary.key))
    const rows = found.map(({ record, project }, index) => ({
      summary: { ...record.summary, key: keys[index] ?? record.summary.key, project },
      parentSessionId: record.parentSessionId,
      agentIds: record.agentIds,
    }))
    return new Map(
      linkSubagents(rows).flatMap((summary, index) => {
        const source = found[index]
        if (source === undefined) return []
        const { record, groupId, ownKeys } = source
        return [[summary.key, { summary, record, groupId, ownKeys }] as const]
      }),
    )
  }

  #projectOf(group: IndexGroup): SessionSummary['project'] {
    const folder = group.files[0]?.projectFolder
    return (folder === undefined ? undefined : this.#projectByFolder.get(folder)) ?? UNKNOWN_PROJECT
  }
}

/** Where a session's first file lies: an order that no scan changes. A damaged file never takes a healthy one's key. */
function placeOf({ summary }: SessionRecord): string {
  const file = summary.files[0]
  const rank = summary.files.every(({ role }) => role === 'damaged') ? 1 : 0
  return file === undefined ? `${rank}\n${summary.key}` : `${rank}\n${file.path}\n${file.home}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The same id and start in two projects gives the same key: the later is told apart by `~2`, `~3`. */
function uniqueKeys(keys: readonly string[]): string[] {
  const taken = new Set<string>()
  return keys.map((key) => {
    let unique = key
    for (let n = 2; taken.has(unique); n++) unique = `${key}~${n}`
    taken.add(unique)
    return unique
  })
}
