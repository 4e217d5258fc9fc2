import { isDeepStrictEqual } from 'node:util'
import type { IndexGroup, SessionRecord } from '@gemini-dash/session-index'
import { linkSubagents, projectOfGroup, type SessionSummary, type UnreadFile } from 'gemini-sessions'
import type { ProjectIdentity } from 'gemini-sessions/node'

/** A group of files and what is known about its sessions. */
interface Entry {
  /** Its current state on disk. */
  group: IndexGroup
  /** Its state when the records were read. */
  source: IndexGroup
  records: SessionRecord[]
  /** Keys that were sent before the group was completely read, and belong to no session now. */
  earlierKeys: string[]
  /** Files that cannot be read at the moment, and whether the records are from an earlier reading; null: none. */
  unread: { files: readonly UnreadFile[]; isKnown: boolean } | null
}

/** A session with everything the store knows about it. */
export interface LinkedSession {
  summary: SessionSummary
  record: SessionRecord
  groupId: string
  ownKeys: readonly string[]
}

/** A row with its marks, stored under its key or an earlier one. */
type Marked = (row: SessionSummary, earlierKeys: readonly string[]) => SessionSummary

const UNKNOWN_PROJECT = { key: 'unknown', name: 'unknown', path: null }

/** Everything found so far, in memory: groups of files, their sessions, the projects. Accesses neither disk nor index. */
export class Rows {
  readonly #entries = new Map<string, Entry>()
  #projects: ProjectIdentity[] = []
  readonly #projectByKeyOrFolder = new Map<string, SessionSummary['project']>()
  readonly #groupByFile = new Map<string, string>()
  #linked: Map<string, LinkedSession> | null = null
  readonly #marked: Marked
  #revision = 0

  constructor(marked: Marked = (row) => row) {
    this.#marked = marked
  }

  /** Grows with every change of a row. */
  get revision(): number {
    return this.#revision
  }

  /** Called by every scan. Rows are rebuilt only if the projects differ from those of the last scan. */
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

  /** `source`: the state of the group when the records were read. Omit it if they were read just now, or are unchanged. */
  put(group: IndexGroup, records: SessionRecord[], source?: IndexGroup): void {
    const earlier = this.#entries.get(group.id)
    const areSame = records === earlier?.records
    const keys = new Set(records.flatMap(({ summary, ownKeys }) => [summary.key, ...ownKeys]))
    const earlierKeys = [
      ...(earlier?.earlierKeys ?? []),
      ...(earlier?.records ?? []).flatMap(({ summary }) => (summary.indexed === 'full' ? [] : [summary.key])),
    ].filter((key) => !keys.has(key))
    for (const { absolutePath } of group.files) this.#groupByFile.set(absolutePath, group.id)
    const entry = {
      group,
      source: source ?? (areSame ? earlier.source : group),
      records,
      earlierKeys: [...new Set(earlierKeys)],
      unread: areSame ? earlier.unread : null,
    }
    this.#entries.set(group.id, entry)
    this.#revision += 1
    if (!this.#relink(entry, earlier)) this.#linked = null
  }

  /** Marks its rows. `isKnown`: they are from an earlier reading. */
  setUnread(groupId: string, unread: Entry['unread']): void {
    const entry = this.#entries.get(groupId)
    if (entry === undefined || isDeepStrictEqual(entry.unread, unread)) return
    entry.unread = unread
    this.#revision += 1
    this.#linked = null
  }

  /** Its rows were complete at some time, so they are better than nothing. */
  isKnown(groupId: string): boolean {
    const entry = this.#entries.get(groupId)
    if (entry === undefined || entry.records.length === 0 || entry.unread?.isKnown === false) return false
    return entry.records.every(({ summary }) => summary.indexed === 'full')
  }

  /** Something changed that is not in a row: whether a session is being written. */
  noteOtherState(): void {
    this.#revision += 1
  }

  /** The user changed stars, tags or titles of the sessions with these keys. Returns the keys that exist. */
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

  /** The state that the rows of a group were read from: its content is read from the same state, until the group is read again. */
  sourceOf(groupId: string): IndexGroup | undefined {
    return this.#entries.get(groupId)?.source
  }

  groupOfFile(absolutePath: string): string | undefined {
    return this.#groupByFile.get(absolutePath)
  }

  recordsOf(groupId: string): SessionRecord[] {
    return this.#entries.get(groupId)?.records ?? []
  }

  groups(): IndexGroup[] {
    return [...this.#entries.values()].map(({ group }) => group)
  }

  /** The sessions of one group, linked with all others. */
  sessionsOf(groupId: string): LinkedSession[] {
    return [...this.sessions().values()].filter((session) => session.groupId === groupId)
  }

  /** All sessions by key, with parents, sub-agents and projects filled in. */
  sessions(): ReadonlyMap<string, LinkedSession> {
    this.#linked ??= this.#link()
    return this.#linked
  }

  #link(): Map<string, LinkedSession> {
    const found = [...this.#entries.values()].flatMap((entry) =>
      entry.records.map((record, index) => ({
        record,
        row: rowOf(record, entry.unread),
        groupId: entry.group.id,
        project: this.#projectOf(entry.group),
        // A key that was sent for the whole group now refers to its first session.
        ownKeys: index === 0 ? [...record.ownKeys, ...entry.earlierKeys] : record.ownKeys,
      })),
    )
    found.sort((a, b) => compareText(placeOf(a.record), placeOf(b.record)))
    const keys = uniqueKeys(found.map(({ record }) => record.summary.key))
    const rows = found.map(({ record, row, project }, index) => ({
      summary: { ...row, key: keys[index] ?? record.summary.key, project },
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

  /** A session without relations has grown: only its own row changes. false: all must be linked again. */
  #relink({ group, records, unread }: Entry, earlier: Entry | undefined): boolean {
    const [record, ...others] = records
    const [before, ...othersBefore] = earlier?.records ?? []
    if (record === undefined || before === undefined || others.length + othersBefore.length > 0) return false
    const { key } = record.summary
    const known = this.#linked?.get(key)
    if (known === undefined || known.record !== before || !areLinkedAlike(before, record)) return false
    const { parentKey, subagentKeys } = known.summary
    if (parentKey !== null || subagentKeys.length > 0 || this.#isOneOfSeveral(known)) return false
    const linked = { project: this.#projectOf(group), parentKey, subagentKeys }
    const summary = this.#marked({ ...rowOf(record, unread), ...linked }, known.ownKeys)
    this.#linked?.set(key, { ...known, summary, record })
    return true
  }

  /** Among conversations with the same id, any may turn out to be the parent of the sub-agents with that id. */
  #isOneOfSeveral(session: LinkedSession): boolean {
    for (const other of this.#linked?.values() ?? []) {
      if (other !== session && other.summary.sessionId === session.summary.sessionId) return true
    }
    return false
  }

  #projectOf(group: IndexGroup): SessionSummary['project'] {
    // The files of a moved session are in folders of several projects.
    const own = this.#projectByKeyOrFolder.get(projectOfGroup(group.id))
    return own ?? this.#projectByKeyOrFolder.get(group.files[0]?.projectFolder ?? '') ?? UNKNOWN_PROJECT
  }
}

function rowOf({ summary }: SessionRecord, unread: Entry['unread']): SessionSummary {
  if (unread === null) return summary
  const { files, isKnown } = unread
  const asOf = isKnown ? (summary.endTime ?? summary.lastUpdated ?? summary.startTime) : null
  return { ...summary, unread: { files: files.length, code: files[0]?.code ?? '', asOf } }
}

/** Whether both have the same parent, the same sub-agents and the same position among equal keys. */
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

/** The place of a session's first file: an order that no scan changes. A damaged file never takes a healthy one's key. */
function placeOf({ summary }: SessionRecord): string {
  const file = summary.files[0]
  const rank = summary.files.every(({ role }) => role === 'damaged') ? 1 : 0
  return file === undefined ? `${rank}\n${summary.key}` : `${rank}\n${file.path}\n${file.home}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Each session has a key of its own (`planKeys`). If the first and last bytes of a file do not reveal its id, that becomes known when it is
 * read: until it is read again with its own key, a number distinguishes it.
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

/** A session, then all its sub-agents, including nested ones. Empty if no session has this key. */
export function familyOf(key: string, sessions: ReadonlyMap<string, LinkedSession>): LinkedSession[] {
  const found = new Map<string, LinkedSession>()
  const open = [key]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const session = sessions.get(next)
    if (session === undefined || found.has(next)) continue
    found.set(next, session)
    open.push(...session.summary.subagentKeys)
  }
  return [...found.values()]
}
