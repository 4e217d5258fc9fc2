import type {
  CallExplanation,
  CostReportQuery,
  FindQuery,
  FindResult,
  MessagePage,
  MessageQuery,
  RawRecord,
  SessionCalls,
  SessionCost,
  SessionDetail,
  SessionFiles,
  SessionMap,
  SessionWhatIf,
  TimelineQuery,
  TranscriptQuery,
  WhatIfQuery,
} from '@gemini-dash/api'
import type {
  ContextXray,
  FileChange,
  Message,
  Neighbours,
  Part,
  Reasoning,
  SessionSummary,
  Timeline,
  ToolOutput,
  Waste,
} from 'gemini-sessions'
import { type OpenedNeighbour, openNeighbour, type ProjectPlace } from 'gemini-sessions/node'
import type { LiveSessions } from '../catalog/live-sessions.ts'
import { liveSummary } from '../catalog/live-summary.ts'
import type { Library } from '../library/library.ts'
import type { RecordInFile } from '../messages/raw-record.ts'
import { join, read, type Written, write } from '../messages/written.ts'
import { placesOfProject } from '../projects/places-of-project.ts'
import type { ReaderClient } from '../reader/lanes/reader-client.ts'
import type { PartContent, SessionPlace } from '../reader/lanes/reader-question.ts'
import type { SearchScope } from '../search/search-scope.ts'
import { toFindRequest } from '../search/to-find-request.ts'
import { placeOf } from './place-of.ts'
import { SessionFamily } from './session-family.ts'
import { UnreadSession } from './unread-session.ts'

interface SessionContentParts {
  library: Library
  live: LiveSessions
  reader: ReaderClient
  searchScope: () => SearchScope
}

/**
 * Answers what is asked of one session's content; the reader knows it. Methods return null when there is no such session,
 * message or output.
 */
export class SessionContent {
  readonly #library: Library
  readonly #live: LiveSessions
  readonly #reader: ReaderClient
  readonly #searchScope: () => SearchScope
  readonly #family = new SessionFamily({
    summary: (key) => this.#summary(key),
    place: (key) => this.#place(key),
    ask: (question, args) => this.#reader.ask(question, args),
  })

  constructor({ library, live, reader, searchScope }: SessionContentParts) {
    this.#library = library
    this.#live = live
    this.#reader = reader
    this.#searchScope = searchScope
  }

  /** Somebody is about to ask for this session: it is read while their page is still on its way. */
  expect(key: string): void {
    const place = this.#place(key)
    // what is wrong with it, the question itself will be told
    if (place !== null) this.#reader.ask('detail', place).catch(() => {})
  }

  async session(key: string): Promise<SessionDetail | null> {
    const written = await this.writtenSession(key)
    return written && read(written)
  }

  async writtenSession(key: string): Promise<Written<SessionDetail> | null> {
    const place = this.#place(key)
    if (place === null) return null
    const parts = await this.#reader.ask('detail', place)
    // Asked after the reading: the row may have changed meanwhile.
    const session = this.#summary(key)
    if (session === null) return null
    if (parts === null) return this.#refuse(key)
    const related = [...session.subagentKeys, ...session.sameRunKeys].flatMap(
      (other) => this.#summary(other) ?? [],
    )
    const { unread } = session
    return join(
      write({
        session,
        state: place.source.fingerprint,
        related,
        ...(unread && { unread: { files: unread.files, reasons: { [unread.code]: unread.files } } }),
      }),
      parts,
    )
  }

  messages(key: string, query: MessageQuery): Promise<MessagePage | null> {
    return this.#atPlace(key, async (place) => {
      const page = await this.#reader.ask('page', { ...place, query })
      return page && { ...page, state: place.source.fingerprint }
    })
  }

  /** What every message of the session is, in a few bytes each. */
  map(key: string): Promise<Written<SessionMap> | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('map', place))
  }

  /** The model calls of the session with their tokens and prices. */
  calls(key: string): Promise<Written<SessionCalls> | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('calls', place))
  }

  /** A message, a turn or all of the session as text to keep, uncut. */
  transcript(key: string, query: TranscriptQuery): Promise<string | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('transcript', { ...place, query }))
  }

  /** All messages, uncut. */
  allMessages(key: string): Promise<Message[] | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('messages', place))
  }

  raw(key: string, messageKey: string): Promise<Written<RawRecord> | RecordInFile | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('raw', { ...place, messageKey }))
  }

  /** How the tokens and the cost of a message came about, or why they are not known. */
  cost(key: string, messageKey: string): Promise<CallExplanation | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('cost', { ...place, messageKey }))
  }

  /** How the cost of a session or of one turn came about. */
  async costReport(key: string, { turn }: CostReportQuery): Promise<SessionCost | null> {
    const report = await this.#atPlace(key, (place) => this.#reader.ask('costReport', { ...place, turn }))
    return report === null ? null : { ...report, family: turn === undefined ? this.#family.costs(key) : null }
  }

  /** `of`: `output`, `display`, or `extra-<n>` for the n-th part beside the result. Whole, uncut. */
  toolOutput(key: string, callId: string, of: string): Promise<ToolOutput | Part | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('output', { ...place, callId, of }))
  }

  part(key: string, messageKey: string, index: number): Promise<PartContent | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('part', { ...place, messageKey, index }))
  }

  /** What a search finds in one session, in reading order. */
  find(key: string, query: FindQuery): Promise<FindResult | null> {
    const asked = toFindRequest(query, this.#searchScope())
    return this.#atPlace(key, (place) => this.#reader.ask('find', { ...place, ...asked }))
  }

  /** What the model thought, by subjects, over the whole session. */
  reasoning(key: string): Promise<Reasoning | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('reasoning', place))
  }

  /** What filled each prompt: an estimate held to what was recorded. */
  context(key: string): Promise<ContextXray | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('context', place))
  }

  /** Work that was done twice, with what it took. */
  waste(key: string): Promise<Waste | null> {
    return this.#atPlace(key, (place) => this.#reader.ask('waste', place))
  }

  /** What the calls of a session would have cost under other conditions. */
  whatIf(key: string, query: WhatIfQuery): Promise<SessionWhatIf | null> {
    return this.#family.whatIf(key, query)
  }

  /** What the CLI keeps of the session outside its file. Looked for only when asked. */
  neighbours(key: string): Promise<Neighbours | null> {
    const folders = this.#folders(key)
    return this.#atPlace(key, (place) => this.#reader.ask('beside', { ...place, folders }))
  }

  /** One of those files, opened to be read; the asker closes it. */
  async neighbourFile(key: string, fileId: string): Promise<OpenedNeighbour | null> {
    const folders = this.#folders(key)
    const found = await this.#atPlace(key, (place) =>
      this.#reader.ask('besideFile', { ...place, folders, fileId }),
    )
    return found === null ? null : openNeighbour(found)
  }

  /** What the tools of a session and of its sub-agents did to which files. */
  files(key: string): Promise<SessionFiles | null> {
    return this.#family.files(key)
  }

  /** All that they did to one of them. null also where no call named it. */
  fileChange(key: string, path: string): Promise<FileChange | null> {
    return this.#family.fileChange(key, path)
  }

  /** The calls of these messages, as far as they name the file. */
  fileCalls(...asked: Parameters<SessionFamily['fileCalls']>): ReturnType<SessionFamily['fileCalls']> {
    return this.#family.fileCalls(...asked)
  }

  /** The session on one time axis. */
  timeline(key: string, query: TimelineQuery): Promise<Timeline | null> {
    return this.#family.timeline(key, query)
  }

  async #atPlace<T>(key: string, ask: (place: SessionPlace) => Promise<T | null>): Promise<T | null> {
    const place = this.#place(key)
    return place === null ? null : ((await ask(place)) ?? this.#refuse(key))
  }

  /** Nothing was found. @throws UnreadSession where that is because files of the session cannot be read */
  #refuse(key: string): null {
    const unread = this.#summary(key)?.unread
    if (unread === undefined) return null
    throw new UnreadSession(unread.code)
  }

  #place(key: string): SessionPlace | null {
    const { catalog } = this.#library
    const place = placeOf(catalog, key)
    const session = catalog.sessions().get(key)
    return place && { ...place, isLive: session !== undefined && this.#live.isLive(session) }
  }

  /** Where the files beside a session may lie. */
  #folders(key: string): ProjectPlace[] {
    const { catalog, scan } = this.#library
    return placesOfProject(scan, catalog.projects(), this.#summary(key)?.project.key ?? '')
  }

  #summary(key: string): SessionSummary | null {
    const session = this.#library.catalog.sessions().get(key)
    if (session === undefined) return null
    return this.#live.isLive(session) ? liveSummary(session.summary) : session.summary
  }
}
