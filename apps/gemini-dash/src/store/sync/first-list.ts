import type { SessionList, SessionQuery } from '@gemini-dash/api'
import { readFileNameTime, readSessionPath, type SessionSummary } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import { findSessions, type ListedSession, resolveList, toList } from '../list.ts'

/** A file name contains the first characters of the id. */
const ID_LENGTH = 8

/**
 * Lists between the first scan of names and the time when all rows exist. Sessions read by an earlier run have their rows; for new and
 * changed files the names reveal how many sessions there are and when they began, so order and count are provisional, and heads are read
 * only for the sessions that are sent.
 */
export class FirstList {
  readonly #announce: (files: readonly DiscoveredFile[]) => Promise<void>
  readonly #rowsStand = deferred()
  #hasRows = false
  #unopened: UnopenedSession[] = []
  readonly #announced = new Set<DiscoveredFile>()

  /** `announce` reads the heads of these files and adds rows for them to the `rows` of `answer`. */
  constructor(announce: (files: readonly DiscoveredFile[]) => Promise<void>) {
    this.#announce = announce
  }

  get hasRows(): boolean {
    return this.#hasRows
  }

  /** `known` have rows, `files` do not. The newest file of each folder is opened, as it reveals the project. */
  async begin(files: readonly DiscoveredFile[], known: readonly DiscoveredFile[]): Promise<void> {
    this.#unopened = unopenedSessions(files, known)
    const telling = newestOfFolders(this.#unopened)
    await this.#open(this.#unopened.filter((each) => telling.has(each) || each.startTime === null))
  }

  /** All rows exist: from now on lists use them. */
  end(): void {
    if (this.#hasRows) return
    this.#hasRows = true
    this.#unopened = []
    this.#announced.clear()
    this.#rowsStand.resolve()
  }

  whenRowsStand(): Promise<void> {
    return this.#rowsStand.promise
  }

  /** null: all rows exist. Waits for them if names are not enough to answer. */
  async answer(
    query: SessionQuery,
    rows: () => readonly SessionSummary[],
  ): Promise<Omit<SessionList, 'coverage'> | null> {
    if (!isKnownByNames(query)) await this.#rowsStand.promise
    const asked = resolveList(query, () => new Set())
    while (!this.#hasRows) {
      const all: (SessionSummary | UnopenedSession)[] = [...rows(), ...this.#unopened]
      const found = findSessions(all, asked)
      const unopened: UnopenedSession[] = []
      const sessions: SessionSummary[] = []
      for (const session of found.page) {
        if ('unopened' in session) unopened.push(session)
        else sessions.push(session)
      }
      if (unopened.length === 0) return { ...toList(found), sessions }
      await this.#open(unopened)
    }
    return null
  }

  /** Creates rows for this many more sessions, newest first. */
  async openNewest(count: number): Promise<void> {
    const newest = this.#unopened.toSorted((a, b) => lastWritten(b) - lastWritten(a))
    await this.#open(newest.slice(0, count))
  }

  async #open(sessions: readonly UnopenedSession[]): Promise<void> {
    const opened = new Set(sessions)
    for (const { unopened } of sessions) for (const file of unopened) this.#announced.add(file)
    if (sessions.length > 0) await this.#announce([...this.#announced])
    this.#unopened = this.#unopened.filter((each) => !opened.has(each))
  }
}

/** Names reveal neither titles nor figures. */
function isKnownByNames(query: SessionQuery): boolean {
  const { kind, empty, sort, from, to, tz, days, cursor, limit, ...others } = query
  const isOrdered = kind === 'main' && /^(recent|oldest)$/.test(sort)
  return isOrdered && Object.values(others).every((other) => other === undefined)
}

/** A session whose row was not read yet: it counts, and has its position in the order. */
interface UnopenedSession extends ListedSession {
  /** Its files, as far as their names show. */
  unopened: DiscoveredFile[]
}

function lastWritten({ unopened }: UnopenedSession): number {
  return Math.max(...unopened.map(({ mtimeMs }) => mtimeMs))
}

function newestOfFolders(sessions: readonly UnopenedSession[]): ReadonlySet<UnopenedSession> {
  const newest = new Map<string, { mtimeMs: number; session: UnopenedSession }>()
  for (const session of sessions) {
    for (const { projectFolder, mtimeMs } of session.unopened) {
      if (mtimeMs > (newest.get(projectFolder)?.mtimeMs ?? -1))
        newest.set(projectFolder, { mtimeMs, session })
    }
  }
  return new Set([...newest.values()].map(({ session }) => session))
}

/**
 * Groups files by the part of the id in their names, whatever folder they are in: a session's files can be in two folders of one project. A
 * file without an id in its name is a session of its own. Leaves out sub-agents in their parent's folder, and files that seem to belong to
 * a session with a row.
 */
function unopenedSessions(
  files: readonly DiscoveredFile[],
  known: readonly DiscoveredFile[],
): UnopenedSession[] {
  const isKnown = new Set(known.map(identityOf))
  const byId = new Map<string, UnopenedSession>()
  for (const file of files) {
    const id = identityOf(file)
    if (id === null || isKnown.has(id)) continue
    const session = byId.get(id) ?? toUnopened(file.absolutePath)
    byId.set(id, session)
    session.unopened.push(file)
    const startTime = readFileNameTime(file.path)
    if (session.startTime === null || (startTime !== null && startTime < session.startTime))
      session.startTime = startTime
  }
  return [...byId.values()]
}

/** null: a sub-agent's file in the folder of its parent. */
function identityOf({ path, absolutePath }: DiscoveredFile): string | null {
  const { parentId, nameId, stem } = readSessionPath(path)
  if (nameId !== stem) return nameId.slice(0, ID_LENGTH)
  return parentId === null ? absolutePath : null
}

function toUnopened(key: string): UnopenedSession {
  return {
    kind: 'main',
    source: 'gemini-cli',
    empty: false,
    parentKey: null,
    key,
    title: '',
    firstPrompt: null,
    startTime: null,
    endTime: null,
    live: false,
    mark: null,
    models: null,
    counts: null,
    recorded: null,
    files: [],
    failures: null,
    usage: null,
    cost: null,
    withSubagents: { usage: null, cost: null, toolCalls: null, failures: null },
    project: { key: '' },
    unopened: [],
  }
}

/** A promise and the function that resolves it. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
