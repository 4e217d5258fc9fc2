import type { SessionList, SessionQuery } from '@gemini-dash/api'
import type { IndexedGroup } from '@gemini-dash/session-index'
import { readFileNameTime, readSessionPath, type SessionFigures, type SessionSummary } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import { findSessions } from '../list/list-sessions.ts'
import { type ListedSession, toList } from '../list/list-totals.ts'
import { resolveList } from '../list/resolve-list.ts'
import { deferred } from './deferred.ts'
import {
  type RememberedGroup,
  type RememberedList,
  type RememberedRow,
  type UnchangedFiles,
  unchangedFiles,
} from './remembered-list.ts'

/** A name holds the first characters of the id. */
const ID_LENGTH = 8
const NO_PROJECT = { key: '' }

export interface FirstListOptions {
  /** Reads the heads of these files and puts rows for them where `rows` of `answer` finds them. */
  announce: (files: readonly DiscoveredFile[]) => Promise<void>
  /** Puts the rows of an earlier run there. false: they are not of these files as they are now. */
  take: (known: IndexedGroup, files: DiscoveredFile[]) => boolean
}

/**
 * Lists between the first look at the names and the rows of everything: only what stands behind the rows sent is read.
 * Of the others an earlier run knows the figures; of new and changed files the names say how many sessions they are and
 * when they began, so that order and number are provisional.
 */
export class FirstList {
  readonly #options: FirstListOptions
  readonly #rowsStand = deferred()
  #hasRows = false
  #remembered: RememberedList | null = null
  #unchanged: UnchangedFiles = new Map()
  #unopened: UnopenedSession[] = []
  readonly #announced = new Set<DiscoveredFile>()

  constructor(options: FirstListOptions) {
    this.#options = options
  }

  get hasRows(): boolean {
    return this.#hasRows
  }

  /** What was found. The newest file of each folder is opened: it tells the project. */
  async begin(files: readonly DiscoveredFile[], remembered: RememberedList | null): Promise<void> {
    this.#remembered = remembered
    this.#unchanged = unchangedFiles(remembered?.groups ?? [], files)
    const groups = unopenedGroups(files, this.#unchanged)
    this.#unopened = groups.flatMap(unopenedSessions)
    const telling = newestOfFolders(groups)
    const first = groups.filter(
      (group) => telling.has(group) || (group.remembered.length === 0 && group.startTime === null),
    )
    await this.#open(first, [...telling])
  }

  /** Rows of everything stand: from now on they answer. */
  end(): void {
    if (this.#hasRows) return
    this.#hasRows = true
    this.#unopened = []
    this.#unchanged = new Map()
    this.#announced.clear()
    this.close()
    this.#rowsStand.resolve()
  }

  close(): void {
    this.#remembered?.close()
    this.#remembered = null
  }

  whenRowsStand(): Promise<void> {
    return this.#rowsStand.promise
  }

  /** null: rows of everything stand, which were waited for if names cannot answer this. */
  async answer(
    query: SessionQuery,
    rows: () => SessionSummary[],
  ): Promise<Omit<SessionList, 'coverage'> | null> {
    if (!isToldByNames(query)) await this.#rowsStand.promise
    const asked = resolveList(query, () => new Set())
    while (!this.#hasRows) {
      const all: (SessionSummary | UnopenedSession)[] = [...rows(), ...this.#unopened]
      const found = findSessions(all, asked)
      const unopened = new Set<Unopened>()
      const sessions: SessionSummary[] = []
      for (const session of found.page) {
        if ('unopened' in session) unopened.add(session.unopened)
        else sessions.push(session)
      }
      if (unopened.size === 0) return { ...toList(found), sessions }
      await this.#open([...unopened])
    }
    return null
  }

  /** Puts rows for so many more sessions that no earlier run has read, the newest first. */
  async openNewest(count: number): Promise<void> {
    const newest = this.#unopened
      .filter(({ unopened }) => unopened.remembered.length === 0)
      .map(({ unopened }) => unopened)
      .toSorted((a, b) => lastWritten(b) - lastWritten(a))
    await this.#open(newest.slice(0, count))
  }

  /** `telling`: their heads are wanted in any case. */
  async #open(groups: readonly Unopened[], telling: readonly Unopened[] = []): Promise<void> {
    const opened = new Set(groups)
    const unknown = groups.filter((group) => !this.#takeRemembered(group))
    const wanted = [...telling, ...unknown].flatMap(({ files }) => files)
    for (const file of wanted) this.#announced.add(file)
    if (wanted.length > 0) await this.#options.announce([...this.#announced])
    this.#unopened = this.#unopened.filter(({ unopened }) => !opened.has(unopened))
  }

  #takeRemembered({ remembered }: Unopened): boolean {
    const list = this.#remembered
    if (remembered.length === 0 || list === null) return false
    const withSubagents = remembered.flatMap((group) => [
      group,
      ...group.subagents.flatMap((number) => list.groups[number] ?? []),
    ])
    try {
      return withSubagents.every((group) => {
        const files = this.#unchanged.get(group)
        return files === undefined || this.#options.take(list.load(group), files)
      })
    } catch {
      return false
    }
  }
}

/** Names know neither titles nor figures. */
function isToldByNames(query: SessionQuery): boolean {
  const { kind, empty, sort, from, to, tz, days, cursor, limit, ...others } = query
  const isOrdered = kind === 'main' && /^(recent|oldest)$/.test(sort)
  return isOrdered && Object.values(others).every((other) => other === undefined)
}

function lastWritten({ files }: Unopened): number {
  return Math.max(...files.map(({ mtimeMs }) => mtimeMs))
}

function newestOfFolders(groups: readonly Unopened[]): ReadonlySet<Unopened> {
  const newest = new Map<string, { mtimeMs: number; group: Unopened }>()
  for (const group of groups) {
    for (const { projectFolder, mtimeMs } of group.files) {
      if (mtimeMs > (newest.get(projectFolder)?.mtimeMs ?? -1)) newest.set(projectFolder, { mtimeMs, group })
    }
  }
  return new Set([...newest.values()].map(({ group }) => group))
}

/** A session whose row was not read yet: it counts, and has its place in the order. */
interface UnopenedSession extends ListedSession {
  unopened: Unopened
}

/** As many as an earlier run knew; one where only names are known. */
function unopenedSessions(unopened: Unopened): UnopenedSession[] {
  const { remembered, files, startTime } = unopened
  if (remembered.length > 0) {
    return remembered.flatMap(({ rows }) => rows.map((row) => toListed(row, unopened)))
  }
  const key = files[0]?.absolutePath ?? ''
  return [toListed({ key, startTime, endTime: null, models: null, usage: null, cost: null }, unopened)]
}

/** Field by field: there are tens of thousands of them, and spreading costs ten times as much. */
function toListed(row: RememberedRow, unopened: Unopened): UnopenedSession {
  return {
    kind: 'main',
    empty: row.empty === true,
    parentKey: null,
    key: row.key,
    title: '',
    firstPrompt: null,
    startTime: row.startTime,
    endTime: row.endTime,
    live: false,
    mark: null,
    models: row.models,
    counts: null,
    recorded: null,
    files: [],
    failures: null,
    usage: row.usage,
    cost: row.cost,
    withSubagents: withoutCalls(row.withSubagents ?? row),
    project: NO_PROJECT,
    unopened,
  }
}

/** What an earlier run keeps for the first list are tokens and cost. */
function withoutCalls({ usage, cost }: Pick<RememberedRow, 'usage' | 'cost'>): SessionFigures {
  return { usage, cost, toolCalls: null, failures: null }
}

/** Files that may be one session, as far as names and an earlier run tell. */
interface Unopened {
  files: DiscoveredFile[]
  /** The earliest time that the names say; null also where the earlier run knows better. */
  startTime: string | null
  /** What the earlier run knew of them; empty as soon as one of these files is new or has changed. */
  remembered: RememberedGroup[]
}

/**
 * What an earlier run knew stays together as it was. The other files go by what their names say of the id, whatever
 * folder they lie in: a session's files can lie in two folders of one project. A file whose name says nothing is a group
 * of its own. Sub-agents in their parent's folder are left out.
 */
function unopenedGroups(files: readonly DiscoveredFile[], unchanged: UnchangedFiles): Unopened[] {
  const known = [...unchanged].map(([group, own]) => ({ files: own, startTime: null, remembered: [group] }))
  const isKnown = new Set([...unchanged.values()].flat())
  const byId = new Map<string, Unopened>()
  for (const file of files) {
    const id = isKnown.has(file) ? null : identityOf(file)
    if (id === null) continue
    const group = byId.get(id) ?? { files: [], startTime: null, remembered: [] }
    byId.set(id, group)
    add(group, file)
  }
  if (byId.size === 0) return known
  const untouched = known.filter((group) => {
    const joined = group.files.flatMap((file) => byId.get(identityOf(file) ?? '') ?? [])[0]
    if (joined === undefined) return true
    for (const file of group.files) add(joined, file)
    return false
  })
  return [...untouched, ...byId.values()]
}

function add(group: Unopened, file: DiscoveredFile): void {
  group.files.push(file)
  const startTime = readFileNameTime(file.path)
  if (group.startTime === null || (startTime !== null && startTime < group.startTime))
    group.startTime = startTime
}

/** null: a sub-agent's file in the folder of its parent. */
function identityOf({ path, absolutePath }: DiscoveredFile): string | null {
  const { parentId, nameId, stem } = readSessionPath(path)
  if (nameId !== stem) return nameId.slice(0, ID_LENGTH)
  return parentId === null ? absolutePath : null
}
