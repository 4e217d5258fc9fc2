import type { SessionList, SessionQuery } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import { deferred } from './deferred.ts'
import { type ListedSession, listSessions } from './list-sessions.ts'
import { groupByName, type NameGroup } from './name-group.ts'

/** A session of which no file was opened yet: it counts, and has its place in the order. */
interface UnreadSession extends ListedSession {
  unread: NameGroup
}

export interface FirstListOptions {
  /** Reads the heads of these files and puts rows for them where `rows` finds them. */
  announce: (files: readonly DiscoveredFile[]) => Promise<void>
}

/**
 * Lists between the first look at the names and the rows of everything: only the files behind the rows sent are opened.
 * Names say how many sessions there are and when they began, so the order and the number are provisional.
 */
export class FirstList {
  readonly #announce: FirstListOptions['announce']
  readonly #rowsStand = deferred()
  #hasRows = false
  #unread: UnreadSession[] = []
  #announced: DiscoveredFile[] = []

  constructor({ announce }: FirstListOptions) {
    this.#announce = announce
  }

  get hasRows(): boolean {
    return this.#hasRows
  }

  /** What was found. The newest file of each folder is opened: it tells the project. */
  async begin(files: readonly DiscoveredFile[]): Promise<void> {
    const groups = groupByName(files)
    this.#unread = groups.map(toUnreadSession)
    const newest = new Map<string, { mtimeMs: number; group: NameGroup }>()
    for (const group of groups) {
      for (const { projectFolder, mtimeMs } of group.files) {
        if (mtimeMs > (newest.get(projectFolder)?.mtimeMs ?? -1))
          newest.set(projectFolder, { mtimeMs, group })
      }
    }
    const telling = new Set([...newest.values()].map(({ group }) => group))
    await this.#read(groups.filter((group) => telling.has(group) || group.startTime === null))
  }

  /** Rows of everything stand: from now on they answer. */
  end(): void {
    this.#hasRows = true
    this.#unread = []
    this.#announced = []
    this.#rowsStand.resolve()
  }

  whenRowsStand(): Promise<void> {
    return this.#rowsStand.promise
  }

  /** null: rows of everything stand, which were waited for if names cannot answer this. */
  async answer(query: SessionQuery, rows: () => SessionSummary[]): Promise<SessionList | null> {
    if (!isToldByNames(query)) await this.#rowsStand.promise
    while (!this.#hasRows) {
      const list = listSessions<SessionSummary | UnreadSession>([...rows(), ...this.#unread], query, null)
      const unread: NameGroup[] = []
      const sessions: SessionSummary[] = []
      for (const session of list.sessions) {
        if ('unread' in session) unread.push(session.unread)
        else sessions.push(session)
      }
      if (unread.length === 0) return { ...list, sessions }
      await this.#read(unread)
    }
    return null
  }

  async #read(groups: readonly NameGroup[]): Promise<void> {
    const read = new Set(groups)
    this.#announced.push(...groups.flatMap(({ files }) => files))
    await this.#announce(this.#announced)
    this.#unread = this.#unread.filter(({ unread }) => !read.has(unread))
  }
}

/** Names know neither titles nor figures. */
function isToldByNames({ kind, sort, title, has, model, project }: SessionQuery): boolean {
  const isInOrder = sort === 'recent' || sort === 'oldest'
  return (
    kind === 'main' &&
    isInOrder &&
    title === undefined &&
    has === undefined &&
    model === undefined &&
    project === undefined
  )
}

function toUnreadSession(group: NameGroup): UnreadSession {
  return {
    ...NOTHING_KNOWN,
    key: group.files[0]?.absolutePath ?? '',
    startTime: group.startTime,
    unread: group,
  }
}

const NOTHING_KNOWN = {
  kind: 'main',
  title: '',
  firstPrompt: null,
  endTime: null,
  live: false,
  models: null,
  counts: null,
  usage: null,
  cost: null,
  withSubagents: { usage: null, cost: null },
  project: { key: '' },
} as const
