import { isDeepStrictEqual } from 'node:util'
import type { FormerRow, LiveEvent, SpentChange } from '@gemini-dash/api'
import type { SessionRecord } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'
import type { Catalog, CatalogSession } from '../catalog/catalog.ts'
import type { LiveSessions } from '../catalog/live-sessions.ts'
import { liveSummary } from '../catalog/live-summary.ts'

/** A row is some 2 KB; what is much longer is asked for by those who draw it. */
const MOST_ROW_CHARACTERS = 32 * 1024
/** Half a day of work without a pause. */
const MOST_SLOTS = 50
const MOST_PARTS = 20

interface KnownSessions {
  catalog: Catalog
  live: Pick<LiveSessions, 'isLive'>
}

interface RowNewsListeners {
  /** The row as a list would have it now; null: other rows may say something else now, too. */
  rowOf: (session: CatalogSession) => SessionSummary | null
  /** Rows are made only while somebody listens. */
  isHeard: () => boolean
}

/** Puts the row into the news of a session, where nothing but that row has changed since the last news of it. */
export class RowNews {
  readonly #known: KnownSessions
  readonly #listeners: RowNewsListeners
  /** Keys of sessions whose last row said that they are being written. */
  readonly #live = new Set<string>()

  constructor(known: KnownSessions, listeners: RowNewsListeners) {
    this.#known = known
    this.#listeners = listeners
  }

  tell(event: LiveEvent): LiveEvent {
    if (event.sessionKey === undefined) return event
    if (event.kind === 'marked') return this.#tellMarked(event, event.sessionKey)
    if (event.kind !== 'changed') return event
    const { isHeard, rowOf } = this.#listeners
    const change = this.#known.catalog.takeLoneChange(event.sessionKey)
    const wasLive = this.#live.delete(event.sessionKey)
    if (change === null || !isHeard()) return event
    const { before, now } = change
    // That it is there was told by its file's head, of which there is no news.
    if (before.summary.indexed !== 'full' || now.summary.indexed !== 'full') return event
    // How many are deleted, a row alone does not tell.
    if (before.summary.deletedSeen !== now.summary.deletedSeen) return event
    if (!this.#isCertain(event.sessionKey, wasLive, [before, now])) return event
    const row = rowOf(now)
    if (row === null || isLong(row)) return event
    const spent = spentChange(before.record, now.record)
    return { ...event, row, before: formerRow(before, wasLive), ...(spent !== null && { spent }) }
  }

  #tellMarked(event: LiveEvent, key: string): LiveEvent {
    const { isHeard, rowOf } = this.#listeners
    const session = isHeard() ? this.#known.catalog.sessions().get(key) : undefined
    const row = session === undefined ? null : rowOf(session)
    return row === null || isLong(row) ? event : { ...event, row }
  }

  /** A prompt without an answer is none as long as its session is written; when that began or ended, nobody was told. */
  #isCertain(key: string, wasLive: boolean, [before, now]: [CatalogSession, CatalogSession]): boolean {
    const isLive = this.#known.live.isLive(now)
    if (isLive) this.#live.add(key)
    const isOpen = [before, now].some(({ summary }) => (summary.failures?.unanswered ?? 0) > 0)
    return !isOpen || (wasLive && isLive)
  }
}

function isLong(row: SessionSummary): boolean {
  return JSON.stringify(row).length > MOST_ROW_CHARACTERS
}

function formerRow({ summary }: CatalogSession, wasLive: boolean): FormerRow {
  const { kind, empty, project, indexed, startTime, endTime, models, recorded, usage, cost } = summary
  const { failures, withSubagents } = wasLive ? liveSummary(summary) : summary
  return {
    kind,
    empty,
    project,
    indexed,
    startTime,
    endTime,
    models,
    failures,
    recorded,
    usage,
    cost,
    withSubagents,
  }
}

/** null: it would be long, or calls are gone, and who adds up is to ask again. */
function spentChange(before: SessionRecord, now: SessionRecord): SpentChange | null {
  const parts = exchangedParts(
    before.buckets,
    now.buckets,
    ({ quarterHour, model }) => `${quarterHour}\n${model}`,
  )
  const tools = exchangedParts(before.tools, now.tools, ({ name }) => name)
  if (parts === null || tools === null || before.buckets.length > MOST_SLOTS) return null
  return {
    slots: before.buckets.map(({ quarterHour, model }) => ({ quarterHour, model })),
    parts: parts.map(({ before, after }) => ({
      before: before && spentPart(before),
      after: spentPart(after),
    })),
    tools: tools.map(({ before, after }) => ({ before: before && toolPart(before), after: toolPart(after) })),
  }
}

type Bucket = SessionRecord['buckets'][number]
type Tool = SessionRecord['tools'][number]

function spentPart({ quarterHour, model, usage, cost }: Bucket) {
  return { quarterHour, model, usage, cost }
}

function toolPart({ name, calls, errors, outputTokensEstimate, maxTimeMs, timedCalls }: Tool) {
  return { name, calls, errors, outputTokensEstimate, maxTimeMs, timedCalls }
}

function exchangedParts<Part>(
  before: readonly Part[],
  now: readonly Part[],
  nameOf: (part: Part) => string,
): { before: Part | null; after: Part }[] | null {
  const known = new Map(before.map((part) => [nameOf(part), part]))
  const parts: { before: Part | null; after: Part }[] = []
  for (const after of now) {
    const former = known.get(nameOf(after)) ?? null
    known.delete(nameOf(after))
    if (!isDeepStrictEqual(former, after)) parts.push({ before: former, after })
  }
  return known.size > 0 || parts.length > MOST_PARTS ? null : parts
}
