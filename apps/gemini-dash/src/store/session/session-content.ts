import type {
  MessagePage,
  MessageQuery,
  SessionAnswer,
  SessionDetail,
  SessionParameters,
  SessionQuestion,
} from '@gemini-dash/api'
import { fromTurnColumns } from '@gemini-dash/api/turn-columns'
import type { IndexedGroup, IndexGroup } from '@gemini-dash/session-index'
import type { Message, SessionSummary } from 'gemini-sessions'
import { type OpenedNeighbour, openNeighbour, type ProjectPlace } from 'gemini-sessions/node'
import type { LiveSessions } from '../catalog/live-sessions.ts'
import { liveSummary } from '../catalog/live-summary.ts'
import type { DeletionTimes } from '../doctor/retention/deletion-times.ts'
import type { Library } from '../library/library.ts'
import { join, read, type Written, write } from '../messages/written.ts'
import { placesOfSession } from '../projects/places-of-project.ts'
import type { ReaderClient } from '../reader/lanes/reader-client.ts'
import type { ReaderAnswer, ReaderArgs, ReaderQuestion } from '../reader/lanes/reader-question.ts'
import { placeOf } from '../reader/place/place-of.ts'
import type { SessionPlace } from '../reader/place/session-place.ts'
import { parseSearch } from '../search/parse-search.ts'
import { SearchResolver } from '../search/resolve-search.ts'
import type { SearchScope } from '../search/search-scope.ts'
import { SessionFamily } from './session-family.ts'
import { SessionLeaving } from './session-leaving.ts'
import { UnreadSession } from './unread-session.ts'

/** As the reader makes it; where several sessions or this thread have a say, as the table says. */
export type ContentAnswer<Q extends SessionQuestion> = Q extends 'neighbours/:fileId'
  ? OpenedNeighbour
  : Q extends 'cost' | 'what-if' | 'edits' | 'handover' | 'files' | 'files/change' | 'timeline'
    ? SessionAnswer<Q>
    : NonNullable<ReaderAnswer<Q>>

/** Smaller ones are read before a page could be drawn of their beginning. */
const LONG_READING_BYTES = 4 * 1024 * 1024

type WiderAnswer = (key: string, parameters: unknown) => Promise<unknown>

interface SessionContentParts {
  library: Library
  live: LiveSessions
  reader: ReaderClient
  deletions: DeletionTimes
  searchScope: () => SearchScope
  clock: () => number
}

/**
 * Answers what is asked of one session's content; the reader knows it. Methods return null when there is no such session,
 * message or output.
 */
export class SessionContent {
  readonly #library: Library
  readonly #live: LiveSessions
  readonly #reader: ReaderClient
  readonly #deletions: DeletionTimes
  readonly #searchScope: () => SearchScope
  readonly #clock: () => number
  readonly #family = new SessionFamily({
    summary: (key) => this.#summary(key),
    place: (key) => this.#place(key),
    ask: (question, args) => this.#reader.ask(question, args),
  })
  /** How it leaves. */
  readonly leaving = new SessionLeaving({
    summary: (key) => this.#summary(key),
    place: (key) => this.#place(key),
    ask: (question, args) => this.#reader.ask(question, args),
    refuse: (key) => this.#refuse(key),
  })

  constructor({ library, live, reader, deletions, searchScope, clock }: SessionContentParts) {
    this.#library = library
    this.#live = live
    this.#reader = reader
    this.#deletions = deletions
    this.#searchScope = searchScope
    this.#clock = clock
  }

  /** Somebody is about to ask for this session: it is read while their page is still on its way. */
  expect(key: string): void {
    const place = this.#place(key)
    // what is wrong with it, the question itself will be told
    if (place === null) return
    if (takesLong(place.source)) this.#reader.ask('beginning', { ...place, asked: {} }).catch(() => {})
    this.#reader.ask('detail', { ...place, asked: {} }).catch(() => {})
  }

  async session(key: string): Promise<SessionDetail | null> {
    const written = await this.writtenSession(key)
    if (written === null) return null
    const { turnColumns, ...detail } = read(written)
    return turnColumns === undefined ? detail : { ...detail, outline: fromTurnColumns(turnColumns) }
  }

  /** Its turns by columns. */
  async writtenSession(key: string): Promise<Written<SessionDetail> | null> {
    const place = this.#place(key)
    if (place === null) return null
    const parts = await this.#reader.ask('detail', { ...place, asked: {} })
    // Asked after the reading: the row may have changed meanwhile.
    const session = this.#summary(key)
    if (session === null) return null
    if (parts === null) return this.#refuse(key)
    const relatedKeys = new Set([
      ...session.subagentKeys,
      ...session.sameRunKeys,
      ...this.#billedIn(session.key),
    ])
    const related = [...relatedKeys].flatMap((other) => this.#summary(other) ?? [])
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

  /** What stands at `/api/sessions/:key/<question>`. null: there is no such session, message or output. */
  async answer<Q extends SessionQuestion>(
    question: Q,
    key: string,
    parameters: SessionParameters<Q>,
  ): Promise<ContentAnswer<Q> | null> {
    const wider = this.#wider as Partial<Record<SessionQuestion, WiderAnswer>>
    const answer = wider[question]
    // Each question has its own parameters and answer: see ReaderArgs and ContentAnswer.
    return (await (answer?.(key, parameters) ??
      this.#ask(question, key, parameters as ReaderArgs<Q>['asked']))) as ContentAnswer<Q>
  }

  /** The rows of the files of a session that is about to be opened; null: the index has to tell. */
  async rows(key: string): Promise<IndexedGroup | null> {
    const place = this.#place(key)
    const sessions = place && (await this.#reader.ask('records', { ...place, asked: {} }))
    if (place === null || sessions === null) return null
    const { id, fingerprint } = place.source
    return { id, fingerprint, sessions, failure: null }
  }

  /** All messages, uncut. */
  allMessages(key: string): Promise<Message[] | null> {
    return this.#ask('whole', key, {})
  }

  /** The calls of these messages, as far as they name the file. */
  fileCalls(...asked: Parameters<SessionFamily['fileCalls']>): ReturnType<SessionFamily['fileCalls']> {
    return this.#family.fileCalls(...asked)
  }

  /** Questions whose answers need more than one session, or what only this thread knows. */
  readonly #wider = {
    messages: async (key, query) =>
      (await this.#beginning(key, query)) ?? (await this.#ask('messages', key, query)),
    /** How the cost of a session or of one turn came about. */
    cost: async (key, query) => {
      const report = await this.#ask('cost', key, query)
      return report && { ...report, family: query.turn === undefined ? this.#family.costs(key) : null }
    },
    find: (key, query) =>
      this.#ask('find', key, {
        ...new SearchResolver(this.#searchScope()).resolve(parseSearch(query, this.#clock())).query,
        offset: query.offset,
      }),
    'what-if': (key, query) => this.#family.whatIf(key, query),
    /** What the CLI keeps of the session outside its file. Looked for only when asked. */
    neighbours: (key) => this.#ask('neighbours', key, { folders: this.#folders(key) }),
    /** One of those files, opened to be read; the asker closes it. */
    'neighbours/:fileId': async (key, { fileId }) => {
      const found = await this.#ask('neighbours/:fileId', key, { folders: this.#folders(key), fileId })
      return found && openNeighbour(found)
    },
    edits: (key) => this.#family.edits(key),
    handover: (key, query) => this.#family.handover(key, query),
    files: (key) => this.#family.files(key),
    'files/change': (key, { path }) => this.#family.fileChange(key, path),
    timeline: (key, query) => this.#family.timeline(key, query),
  } satisfies { [Q in SessionQuestion]?: (key: string, parameters: SessionParameters<Q>) => Promise<unknown> }

  /** The first messages of a session that it takes long to read; null: it was read, or is soon, or others were asked for. */
  async #beginning(key: string, query: MessageQuery): Promise<Written<MessagePage> | null> {
    const { partial, offset, around, show, superseded } = query
    const isFirstPage = offset === 0 && around === undefined && show === undefined
    if (partial !== 'allow' || !isFirstPage || superseded === 'exclude') return null
    const place = this.#place(key)
    const session = this.#summary(key)
    if (place === null || session === null || !takesLong(place.source)) return null
    const parts = await this.#reader.ask('beginning', { ...place, asked: {} })
    return parts && join(write({ session, state: place.source.fingerprint }), parts)
  }

  async #ask<Q extends ReaderQuestion>(
    question: Q,
    key: string,
    asked: ReaderArgs<Q>['asked'],
  ): Promise<ReaderAnswer<Q>> {
    const place = this.#place(key)
    if (place === null) return null
    return (await this.#reader.ask(question, { ...place, asked })) ?? this.#refuse(key)
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
    return placesOfSession(scan, catalog.projects(), this.#summary(key))
  }

  /** Keys of the sessions that count requests of this one. */
  #billedIn(key: string): string[] {
    const session = this.#library.catalog.sessions().get(key)
    return (session?.record.billedElsewhere ?? []).map(({ sessionKey }) => sessionKey)
  }

  #summary(key: string): SessionSummary | null {
    const session = this.#library.catalog.sessions().get(key)
    if (session === undefined) return null
    const { summary } = session
    return this.#deletions.tell(this.#live.isLive(session) ? liveSummary(summary) : summary)
  }
}

function takesLong({ files }: IndexGroup): boolean {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > LONG_READING_BYTES
}
