import { isDeepStrictEqual } from 'node:util'
import type { IndexGroup, SessionRecord } from '@gemini-dash/session-index'
import { linkSubagents, projectOfGroup, type SessionSummary } from 'gemini-sessions'
import type { ProjectIdentity } from 'gemini-sessions/node'
import { AlikeSharer } from './alike-sharer.ts'

/** A group of files and what is known of the sessions in it. */
interface Entry {
  /** As it is on disk. */
  group: IndexGroup
  /** As it was when the records were read. */
  source: IndexGroup
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

/** A row with what a person said of it, under its key or one that it had before. */
type Marked = (row: SessionSummary, earlierKeys: readonly string[]) => SessionSummary

const UNKNOWN_PROJECT = { key: 'unknown', name: 'unknown', path: null }

/** Everything found so far, in memory: groups of files, their sessions, the projects. Knows neither disk nor index. */
export class Catalog {
  readonly #entries = new Map<string, Entry>()
  #projects: ProjectIdentity[] = []
  readonly #projectByKeyOrFolder = new Map<string, SessionSummary['project']>()
  readonly #groupByFile = new Map<string, string>()
  readonly #sharer = new AlikeSharer()
  #linked: Map<string, CatalogSession> | null = null
  /** Sessions whose row alone changed since `takeLoneChange` was called for them, by key: what they were then. */
  readonly #loneChanges = new Map<string, CatalogSession>()
  readonly #marked: Marked
  #revision = 0

  constructor(marked: Marked = (row) => row) {
    this.#marked = marked
  }

  /** Grows with every change of a row. */
  get revision(): number {
    return this.#revision
  }

  /** Every scan calls this. Rows are made anew only if the projects differ from those of the last scan. */
  setProjects(projects: ProjectIdentity[]): void {
    if (isDeepStrictEqual(projects, this.#projects)) return
    this.#projects = projects
    this.#projectByKeyOrFolder.clear()
    for (const { key, name, path, folders } of projects)
      for (const place of [key, ...folders]) this.#projectByKeyOrFolder.set(place, { key, name, path })
    this.#linked = null
  }

  projects(): readonly ProjectIdentity[] {
    return this.#projects
  }

  /** `source`: the group as it was when the records were read. Leave it out if they were read just now, or are unchanged. */
  put(group: IndexGroup, put: SessionRecord[], source?: IndexGroup): void {
    const earlier = this.#entries.get(group.id)
    const records = put === earlier?.records ? put : put.map((record) => this.#sharer.share(record))
    const keys = new Set(records.flatMap(({ summary, ownKeys }) => [summary.key, ...ownKeys]))
    const earlierKeys = [
      ...(earlier?.earlierKeys ?? []),
      ...(earlier?.records ?? []).flatMap(({ summary }) => (summary.indexed === 'full' ? [] : [summary.key])),
    ].filter((key) => !keys.has(key))
    for (const { absolutePath } of group.files) this.#groupByFile.set(absolutePath, group.id)
    const readAs = source ?? (put === earlier?.records ? earlier.source : group)
    const entry = { group, source: readAs, records, earlierKeys: [...new Set(earlierKeys)] }
    this.#entries.set(group.id, entry)
    this.#revision += 1
    if (!this.#relink(entry, earlier)) this.#linked = null
  }

  /** Something changed that no row says: whether a session is being written. */
  noteOtherState(): void {
    this.#revision += 1
  }

  /** A person starred, tagged or named the sessions with these keys, or took that back. Returns the keys that exist. */
  noteMarked(keys: ReadonlySet<string>): string[] {
    const marked = [...(this.#linked?.values() ?? [])].filter(({ summary: { key }, ownKeys }) =>
      [key, ...ownKeys].some((each) => keys.has(each)),
    )
    for (const session of marked) {
      const { key } = session.summary
      const { title, titleSource } = session.record.summary
      const summary = this.#marked({ ...session.summary, title, titleSource, mark: null }, session.ownKeys)
      this.#linked?.set(key, { ...session, summary })
    }
    this.#revision += 1
    return marked.map(({ summary }) => summary.key)
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

  /** What the rows of a group were read of: its content is told of the same state, until the group is read again. */
  sourceOf(groupId: string): IndexGroup | undefined {
    return this.#entries.get(groupId)?.source
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

  /** The session before and after what changed since the last call. null: other rows may have changed, too. */
  takeLoneChange(key: string): { before: CatalogSession; now: CatalogSession } | null {
    const now = this.#linked?.get(key)
    const before = this.#loneChanges.get(key) ?? now
    this.#loneChanges.delete(key)
    return now === undefined || before === undefined ? null : { before, now }
  }

  #link(): Map<string, CatalogSession> {
    this.#loneChanges.clear()
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
        return [[summary.key, { summary: this.#marked(summary, ownKeys), record, groupId, ownKeys }] as const]
      }),
    )
  }

  /** A session that stands alone has grown: nothing changes but its own row. false: all are to be linked anew. */
  #relink({ group, records }: Entry, earlier: Entry | undefined): boolean {
    const [record, ...others] = records
    const [before, ...othersBefore] = earlier?.records ?? []
    if (record === undefined || before === undefined || others.length + othersBefore.length > 0) return false
    const { key } = record.summary
    const known = this.#linked?.get(key)
    if (known === undefined || known.record !== before || !areLinkedAlike(before, record)) return false
    const { parentKey, subagentKeys } = known.summary
    if (parentKey !== null || subagentKeys.length > 0 || this.#isOneOfSeveral(known)) return false
    const linked = { project: this.#projectOf(group), parentKey, subagentKeys }
    const summary = this.#marked({ ...record.summary, ...linked }, known.ownKeys)
    this.#linked?.set(key, { ...known, summary, record })
    if (!this.#loneChanges.has(key)) this.#loneChanges.set(key, known)
    return true
  }

  /** Of conversations with one id, each may turn out to have started the sub-agents of that id. */
  #isOneOfSeveral(session: CatalogSession): boolean {
    for (const other of this.#linked?.values() ?? []) {
      if (other !== session && other.summary.sessionId === session.summary.sessionId) return true
    }
    return false
  }

  #projectOf(group: IndexGroup): SessionSummary['project'] {
    // The files of a session that was moved lie in folders of several projects.
    const own = this.#projectByKeyOrFolder.get(projectOfGroup(group.id))
    return own ?? this.#projectByKeyOrFolder.get(group.files[0]?.projectFolder ?? '') ?? UNKNOWN_PROJECT
  }
}

/** Do both have the same parent, the same sub-agents and the same place among equal keys? */
function areLinkedAlike(a: SessionRecord, b: SessionRecord): boolean {
  return (
    a.summary.key === b.summary.key &&
    a.summary.sessionId === b.summary.sessionId &&
    a.summary.kind === b.summary.kind &&
    a.parentSessionId === null &&
    b.parentSessionId === null &&
    a.ownKeys.join() === b.ownKeys.join() &&
    placeOf(a) === placeOf(b)
  )
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

/**
 * Each session has a key of its own (`planKeys`). Where the first and last bytes of a file do not tell its id, that is known when
 * it was read: until it is read again with its own key, a number distinguishes it.
 */
function uniqueKeys(keys: readonly string[]): string[] {
  const taken = new Set<string>()
  return keys.map((key) => {
    let unique = key
    for (let n = 2; taken.has(unique); n++) unique = `${key}~${n}`
    taken.add(unique)
    return unique
  })
}
