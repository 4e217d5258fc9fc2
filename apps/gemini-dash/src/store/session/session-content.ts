import { existsSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import type {
  Depth,
  ExportFormat,
  ExportReview,
  MessagePage,
  MessageQuery,
  SessionAnswer,
  SessionDetail,
  SessionParameters,
  SessionQuestion,
} from '@gemini-dash/api'
import { fromTurnColumns } from '@gemini-dash/api/turn-columns'
import { readReasons, type SessionReasons } from '@gemini-dash/pricing/why'
import type { IndexedGroup, IndexGroup } from '@gemini-dash/session-index'
import type { Message, SessionSummary } from 'gemini-sessions'
import { type OpenedNeighbour, openNeighbour, type ProjectPlace } from 'gemini-sessions/node'
import type { Redaction } from '../../export/redact-message.ts'
import type { PictureFile } from '../../export/write-vac.ts'
import type { DeletionTimes } from '../doctor/deletion-times.ts'
import type { TableRows } from '../map-session.ts'
import { placesOfSession } from '../projects.ts'
import type { ExportAsked, ExportPiece, TableTexts } from '../reader/make-export.ts'
import type { RecordedCommand, SessionFix } from '../reader/make-fixes.ts'
import type { ReaderAnswer, ReaderArgs, ReaderClient, ReaderQuestion } from '../reader/reader-client.ts'
import { placeOf, type SessionPlace } from '../reader/session-place.ts'
import type { ErrorText } from '../search/error-text.ts'
import { SearchResolver } from '../search/resolve-search.ts'
import { parseSearch, type SearchScope } from '../search/search-scope.ts'
import { groupBytes } from '../sync/group-scan.ts'
import { type LiveSessions, liveSummary } from '../sync/live-sessions.ts'
import type { Sync } from '../sync/sync.ts'
import { join, read, type Written, write } from '../written-messages.ts'
import { SessionFamily } from './session-family.ts'
import { UnreadSession } from './unread-session.ts'

/** The type the reader returns, or the one in the table if other sessions or this thread contribute. */
export type ContentAnswer<Q extends SessionQuestion> = Q extends 'neighbours/:fileId'
  ? OpenedNeighbour
  : Q extends 'cost' | 'why' | 'what-if' | 'handover' | 'timeline'
    ? SessionAnswer<Q>
    : NonNullable<ReaderAnswer<Q>>

/** Smaller ones are read before a page could render their beginning. */
const LONG_READING_BYTES = 4 * 1024 * 1024

type WiderAnswer = (key: string, parameters: unknown) => Promise<unknown>

interface SessionContentParts {
  sync: Sync
  live: LiveSessions
  reader: ReaderClient
  deletions: DeletionTimes
  searchScope: () => SearchScope
  clock: () => number
}

/**
 * Answers questions about the content of one session, using the reader. Methods return null if there is no such session, message or output.
 */
export class SessionContent {
  readonly #sync: Sync
  readonly #live: LiveSessions
  readonly #reader: ReaderClient
  readonly #deletions: DeletionTimes
  readonly #searchScope: () => SearchScope
  readonly #clock: () => number
  readonly #family = new SessionFamily({
    summary: (key) => this.#summary(key),
    reasons: (key) => this.#reasons(key),
    place: (key) => this.#place(key),
    ask: (question, args) => this.#askReader(question, args),
  })
  /** Exports sessions. */
  readonly exports = new SessionExport({
    summary: (key) => this.#summary(key),
    place: (key) => this.#place(key),
    ask: (question, args) => this.#askReader(question, args),
    refuse: (key) => this.#refuse(key),
  })

  constructor({ sync, live, reader, deletions, searchScope, clock }: SessionContentParts) {
    this.#sync = sync
    this.#live = live
    this.#reader = reader
    this.#deletions = deletions
    this.#searchScope = searchScope
    this.#clock = clock
  }

  /** A question about this session is expected: it is read while its page is still on its way. */
  expect(key: string): void {
    const place = this.#place(key)
    // errors are reported by the question itself
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

  /** With its turns in columns. */
  async writtenSession(key: string): Promise<Written<SessionDetail> | null> {
    const place = this.#place(key)
    if (place === null) return null
    const parts = await this.#askReader('detail', { ...place, asked: {} })
    // After the reading: the row may have changed meanwhile.
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

  /** The answer of `/api/sessions/:key/<question>`. null: no such session, message or output. */
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

  /** The rows of the files of a session that is about to be opened; null: the index has to provide them. */
  async rows(key: string): Promise<IndexedGroup | null> {
    const place = this.#place(key)
    const sessions = place && (await this.#askReader('records', { ...place, asked: {} }))
    if (place === null || sessions === null) return null
    const { id, fingerprint } = place.source
    return { id, fingerprint, sessions, failure: null }
  }

  /** Its rows for tables. `isSpent`: its usage counts. */
  tableRows(key: string, isSpent: boolean): Promise<TableRows | null> {
    return this.#ask('tableRows', key, { isSpent })
  }

  /** All messages, uncut. */
  allMessages(key: string): Promise<Message[] | null> {
    return this.#ask('whole', key, {})
  }

  /** Of these messages, those in which a call failed with this error and the same later succeeded. */
  async fixes(key: string, messageKeys: string[], error: ErrorText): Promise<SessionFix[]> {
    return (await this.#ask('fixes', key, { messageKeys, error })) ?? []
  }

  /** A command as recorded. */
  command(key: string, messageKey: string, place: number): Promise<RecordedCommand | null> {
    return this.#ask('command', key, { messageKey, place })
  }

  /** Questions whose answers need several sessions, or information that only this thread has. */
  readonly #wider = {
    messages: async (key, query) =>
      (await this.#beginning(key, query)) ?? (await this.#ask('messages', key, query)),
    /** The breakdown of a session's cost. */
    cost: async (key) => {
      const report = await this.#ask('cost', key, {})
      return report && { ...report, family: this.#family.costs(key) }
    },
    find: (key, query) =>
      this.#ask('find', key, {
        ...new SearchResolver(this.#searchScope()).resolve(parseSearch(query, this.#clock())).query,
        offset: query.offset ?? 0,
      }),
    why: (key) => this.#family.why(key),
    'what-if': (key) => this.#family.whatIf(key),
    /** What the CLI keeps for the session outside its file. Searched for only on request. */
    neighbours: (key) => this.#ask('neighbours', key, { folders: this.#folders(key) }),
    /** One of those files, opened for reading; the caller closes it. */
    'neighbours/:fileId': async (key, { fileId }) => {
      const found = await this.#ask('neighbours/:fileId', key, { folders: this.#folders(key), fileId })
      return found && openNeighbour(found)
    },
    changes: (key) => this.#family.changes(key),
    handover: (key, query) => this.#family.handover(key, query),
    timeline: (key) => this.#family.timeline(key),
  } satisfies { [Q in SessionQuestion]?: (key: string, parameters: SessionParameters<Q>) => Promise<unknown> }

  /** The first messages of a session that is slow to read; null: it was read already, will be soon, or other messages are requested. */
  async #beginning(key: string, query: MessageQuery): Promise<Written<MessagePage> | null> {
    const { partial, offset, around, show, superseded } = query
    const isFirstPage = offset === 0 && around === undefined && show === undefined
    if (partial !== 'allow' || !isFirstPage || superseded === 'exclude') return null
    const place = this.#place(key)
    const session = this.#summary(key)
    if (place === null || session === null || !takesLong(place.source)) return null
    const parts = await this.#askReader('beginning', { ...place, asked: {} })
    return parts && join(write({ session, state: place.source.fingerprint }), parts)
  }

  async #ask<Q extends ReaderQuestion>(
    question: Q,
    key: string,
    asked: ReaderArgs<Q>['asked'],
  ): Promise<ReaderAnswer<Q>> {
    const place = this.#place(key)
    if (place === null) return null
    return (await this.#askReader(question, { ...place, asked })) ?? this.#refuse(key)
  }

  /** If a file from the last scan is gone, the archive may have it: tries again after another scan. */
  async #askReader<Q extends ReaderQuestion>(question: Q, args: ReaderArgs<Q>): Promise<ReaderAnswer<Q>> {
    const answer = await this.#reader.ask(question, args)
    if (answer !== null || isThere(args.source)) return answer
    await this.#sync.refresh()
    // its row still belongs to the earlier files
    const source = this.#sync.rows.group(args.source.id)
    const isFound = source !== undefined && isThere(source)
    return isFound ? this.#reader.ask(question, { ...args, source }) : answer
  }

  /** Nothing was found. @throws UnreadSession if the reason is that files of the session cannot be read */
  #refuse(key: string): null {
    const unread = this.#summary(key)?.unread
    if (unread === undefined) return null
    throw new UnreadSession(unread.code)
  }

  #place(key: string): SessionPlace | null {
    const { rows } = this.#sync
    const place = placeOf(rows, key)
    const session = rows.sessions().get(key)
    return place && { ...place, isLive: session !== undefined && this.#live.isLive(session) }
  }

  /** Where the files beside a session may be. */
  #folders(key: string): ProjectPlace[] {
    const { rows, scan } = this.#sync
    return placesOfSession(scan, rows.projects(), this.#summary(key))
  }

  /** Keys of the sessions that count requests of this one. */
  #billedIn(key: string): string[] {
    const session = this.#sync.rows.sessions().get(key)
    return (session?.record.billedElsewhere ?? []).map(({ sessionKey }) => sessionKey)
  }

  /** undefined: the index has not read the session. */
  #reasons(key: string): SessionReasons | null | undefined {
    const session = this.#sync.rows.sessions().get(key)
    if (session === undefined || session.summary.indexed !== 'full') return undefined
    return readReasons(session.record.reasons)
  }

  #summary(key: string): SessionSummary | null {
    const session = this.#sync.rows.sessions().get(key)
    if (session === undefined) return null
    const { summary } = session
    return this.#deletions.tell(this.#live.isLive(session) ? liveSummary(summary) : summary)
  }
}

function isThere({ files }: IndexGroup): boolean {
  return files.every(({ absolutePath }) => existsSync(absolutePath))
}

function takesLong({ files }: IndexGroup): boolean {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > LONG_READING_BYTES
}

/** A sub-agent with larger files is exported as a session of its own; so are those that would exceed the total. */
const MAX_AGENT_BYTES = 2 * 1024 * 1024
const MAX_AGENTS_BYTES = 8 * 1024 * 1024
const MAX_AGENTS = 200

/** At these depths calls are not written, so nothing can be inside them. */
const CALLS_ARE_CUT: ReadonlySet<Depth> = new Set(['prompts', 'talk', 'thoughts'])

/** Options of an export. */
type ExportWay = Pick<ExportAsked, 'format' | 'depth' | 'redaction' | 'version' | 'zone' | 'pictureFolder'>

/** The form of an export; raw files are one of them. */
export interface ExportForm {
  format: ExportFormat
  depth: Depth
}

interface Known {
  summary: (key: string) => SessionSummary | null
  place: (key: string) => SessionPlace | null
  ask: ReaderClient['ask']
  /** @throws if files of the session cannot be read */
  refuse: (key: string) => null
}

/** Questions about a session to be exported. null, or nothing: no such session. */
class SessionExport {
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  /** Its files with their actual location: files deleted from a home are in the archive. */
  files({ key, files }: SessionSummary): { home: string; path: string; absolutePath: string }[] {
    const found = this.#known.place(key)?.source.files ?? []
    return files.map(({ home, path }) => {
      const file = found.find((each) => each.home === home && each.path === path)
      return { home, path, absolutePath: file?.absolutePath ?? joinPath(home, path) }
    })
  }

  /**
   * Piece by piece as they are consumed; the next one is made while one is written.
   *
   * @throws UnreadSession if it was deleted meanwhile: the export is incomplete
   */
  async *export(key: string, how: ExportWay): AsyncGenerator<ExportPiece> {
    const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
    if (place === null || summary === null) throw new UnreadSession(null)
    const agents = this.#agents(summary, how.format)
    const ask = (from: ExportAsked['from']): Promise<ExportPiece | null> => {
      const asked: ExportAsked = { ...how, summary, agents, from }
      const piece = this.#known.ask('export', { ...place, asked })
      // prevents an unhandled rejection if the consumer has stopped
      piece.catch(() => {})
      return piece
    }
    for (let next: Promise<ExportPiece | null> | null = ask(null); next !== null; ) {
      const piece: ExportPiece | null = await next
      if (piece === null) throw this.#known.refuse(key) ?? new UnreadSession(null)
      next = piece.next && ask(piece.next)
      yield piece
    }
  }

  /** What `export` would redact. */
  async review(key: string, how: ExportWay): Promise<ExportReview | null> {
    const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
    if (place === null || summary === null) return null
    const asked: ExportAsked = { ...how, summary, agents: this.#agents(summary, how.format), from: null }
    return (await this.#known.ask('exportReview', { ...place, asked })) ?? this.#known.refuse(key)
  }

  /** Its pictures as files: all without their bytes, or the named one with them. */
  async pictures(key: string, depth: Depth, name: string | null): Promise<PictureFile[]> {
    const place = this.#known.place(key)
    const found = place && (await this.#known.ask('exportPictures', { ...place, asked: { depth, name } }))
    return found ?? []
  }

  /** Keys of the sub-agents whose conversations are exported within it, including nested ones. */
  async agentsIn(key: string, { format, depth }: ExportForm): Promise<string[]> {
    if (format === 'raw' || CALLS_ARE_CUT.has(depth)) return []
    const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
    if (place === null || summary === null) return []
    const agents = this.#agents(summary, format)
    if (agents.length === 0) return []
    const how = { format, depth, redaction: null, version: '', zone: 'UTC', pictureFolder: null }
    const asked: ExportAsked = { ...how, summary, agents, from: null }
    return (await this.#known.ask('exportAgents', { ...place, asked })) ?? []
  }

  /** Its texts for tables, redacted unless `redaction` is null. */
  async tableTexts(key: string, redaction: Redaction | null): Promise<TableTexts | null> {
    const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
    if (place === null || summary === null) return null
    // a secret revealed by one of its sub-agents is redacted in all of them
    const asked = { redaction, summary, agents: this.#agents(summary, 'markdown') }
    return (await this.#known.ask('tableTexts', { ...place, asked })) ?? this.#known.refuse(key)
  }

  /** Sub-agents exported with it, including nested ones; without those that would exceed a size limit. */
  #agents(session: SessionSummary, format: ExportWay['format']): ExportAsked['agents'] {
    if (format !== 'html' && format !== 'markdown') return []
    const agents: { summary: SessionSummary; place: SessionPlace }[] = []
    let leftBytes = MAX_AGENTS_BYTES
    const seen = new Set([session.key])
    const wanted = [...session.subagentKeys]
    for (let key = wanted.shift(); key !== undefined && agents.length < MAX_AGENTS; key = wanted.shift()) {
      const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
      if (seen.has(key) || place === null || summary === null) continue
      seen.add(key)
      const sizeBytes = groupBytes(place.source)
      if (sizeBytes > Math.min(MAX_AGENT_BYTES, leftBytes)) continue
      leftBytes -= sizeBytes
      agents.push({ summary, place })
      wanted.unshift(...summary.subagentKeys)
    }
    return agents
  }
}
