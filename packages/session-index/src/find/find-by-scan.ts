import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import type { Session } from 'gemini-sessions'
import type { IndexGroup, IndexSearchRequest } from '../contract.ts'
import { ALL_FIELDS, fieldBits } from '../evaluate.ts'
import { queryMatcher } from '../match/query-matcher.ts'
import { OutOfTime, type SearchClock } from '../match/search-clock.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import { type IndexTree, wantedTexts } from '../query/tree.ts'
import { ROW_FLAGS } from '../rows.ts'
import { type GroupFilter, groupFilter } from '../source/group-filter.ts'
import type { SessionReader } from '../source/message-reader.ts'
import { type CallsOfRows, titleId } from '../store/search-rows.ts'
import { storedTitlePieces } from '../store/session-texts.ts'
import type { ShardStore } from '../store/shard-store.ts'
import { type FieldPiece, fieldPieces } from '../text.ts'
import { hashGroup } from '../to-session-record.ts'
import { type FoundRows, RowFinder } from './find-rows.ts'
import {
  BestHits,
  type CallCounts,
  type HitReference,
  type HitsBy,
  hitCount,
  type ScanProgress,
  type ShardCounts,
  type ShardFound,
  scoreHit,
} from './hits.ts'

export interface ScanRun {
  pause: () => Promise<void>
  /** Called between two groups with what was found so far. */
  onPartial: (found: () => ShardFound) => void
  signal: AbortSignal
  clock: SearchClock
}

/** Least time to wait for a session, so that a search out of time still progresses. */
const LEAST_READING_MS = 1_000

/**
 * Searches the whole text of every session that matches the filters, newest first, for queries that the index of words cannot answer. Files
 * whose bytes rule out a match are not parsed. Out of time, it returns what it has found and where to continue, which is after where it
 * began.
 */
export async function findByScan(
  store: ShardStore,
  reader: SessionReader,
  request: IndexSearchRequest,
  { pause, onPartial, signal, clock }: ScanRun,
): Promise<ShardFound> {
  const { matcher } = await queryMatcher(request, clock.check)
  const found = new Map<number, number>()
  const progress: ScanProgress = { filesDone: 0, filesTotal: 0, messagesLeftOut: 0, continueAt: null }
  const withIt = (tree: IndexTree | null) => withPattern({ tree, pattern: request.pattern })
  const asked = [request.tree, ...(request.alsoCount ?? [])].map(withIt)
  const [tree = null, ...alsoCount] = asked
  const result = () =>
    answerSearch(store, { ...request, tree, alsoCount }, new RowFinder(store, found), { ...progress })
  if (matcher === null) return result()
  const mayHold = groupFilter(request.mode === 'regex' ? 'regex' : 'substring', request.pattern)
  const rows = new RowFinder(store, 'anywhere').find({ kind: 'or', of: asked })
  const { candidates, withMessages } = toCandidates(rows)
  const scan = {
    store,
    reader,
    mayHold,
    matcher,
    candidates,
    withMessages,
    found,
    pause,
    signal,
    clock,
    progress,
  }
  const groups = newestFirst(store, rows)
  progress.filesTotal = groups.reduce((sum, { group }) => sum + group.files.length, 0)
  const start = startOf(groups, request.continueAt)
  for (const { group } of groups.slice(0, start.index)) progress.filesDone += group.files.length
  const end = endOf(groups, request.endAt)
  let hasGotOn = false
  let { messages } = start
  for (const [place, { group, timeMs, hash }] of groups.entries()) {
    if (place < start.index) continue
    if (signal.aborted || place > end.index) break
    const until = place === end.index ? end.messages : Number.POSITIVE_INFINITY
    const span = { before: messages, until }
    const isOver = hasGotOn && clock.isOver
    const done = isOver || until <= messages ? Math.min(messages, until) : await scanGroup(scan, group, span)
    if (done !== null) {
      progress.continueAt = { timeMs, group: hash, messages: done }
      break
    }
    hasGotOn = true
    messages = 0
    progress.filesDone += group.files.length
    onPartial(result)
    await pause()
  }
  return result()
}

interface ScanState extends Omit<ScanRun, 'onPartial'> {
  store: ShardStore
  reader: SessionReader
  /** null: only parsing can tell. */
  mayHold: GroupFilter | null
  matcher: TextMatcher
  /** The fields to search, as bits by `search_row.id`. */
  candidates: ReadonlyMap<number, number>
  /** Sessions with candidate messages. */
  withMessages: ReadonlySet<number>
  found: Map<number, number>
  progress: ScanProgress
}

interface OrderedGroup {
  group: IndexGroup
  timeMs: number
  hash: number
}

/** The first group to search, and how many of its messages were already searched. */
function startOf(
  groups: OrderedGroup[],
  continueAt: IndexSearchRequest['continueAt'],
): { index: number; messages: number } {
  if (continueAt === undefined) return { index: 0, messages: 0 }
  const [position = null] = continueAt
  if (position === null) return { index: groups.length, messages: 0 }
  const at = groups.findIndex(
    ({ timeMs, hash }) => timeMs < position.timeMs || (timeMs === position.timeMs && hash >= position.group),
  )
  if (at < 0) return { index: groups.length, messages: 0 }
  const isSame = groups[at]?.timeMs === position.timeMs && groups[at]?.hash === position.group
  return { index: at, messages: isSame ? position.messages : 0 }
}

/** The last group to search, and how many of its messages; null position: no end. */
function endOf(
  groups: OrderedGroup[],
  endAt: IndexSearchRequest['endAt'],
): { index: number; messages: number } {
  const [position = null] = endAt ?? []
  if (position === null) return { index: Number.POSITIVE_INFINITY, messages: Number.POSITIVE_INFINITY }
  return startOf(groups, [position])
}

/** Range of a group's messages: the first to search, and the first not to. */
interface MessageSpan {
  before: number
  until: number
}

/** null: all of the group was searched; else how many of its messages were, before the end of the span or of the time. */
async function scanGroup(scan: ScanState, group: IndexGroup, span: MessageSpan): Promise<number | null> {
  const { mayHold, pause } = scan
  const end = span.until === Number.POSITIVE_INFINITY ? null : span.until
  if (span.before === 0) scanTitles(scan, group)
  if (!hasMessages(scan, group)) return end
  // on continuation the bytes were already checked
  if (span.before === 0 && mayHold !== null && !(await mayHold(group, pause))) return end
  return (await scanMessages(scan, group, span)) ?? end
}

/** Adds the pattern to the filters as if it were a word, to be evaluated by whatever source knows its matches. */
export function withPattern({ tree, pattern }: Pick<IndexSearchRequest, 'tree' | 'pattern'>): IndexTree {
  const filters = tree === null ? [] : tree.kind === 'and' ? tree.of : [tree]
  return { kind: 'and', of: [...filters, { kind: 'text', words: [pattern], isPrefix: false }] }
}

function toCandidates({ columns, rows, bits }: FoundRows): Pick<ScanState, 'candidates' | 'withMessages'> {
  const candidates = new Map<number, number>()
  const withMessages = new Set<number>()
  for (const [at, row] of rows.entries()) {
    const id = columns.ids[row] ?? 0
    candidates.set(id, bits[at] ?? 0)
    if (id > 0) withMessages.add(columns.sessions[row] ?? 0)
  }
  return { candidates, withMessages }
}

function newestFirst(store: ShardStore, { columns, rows }: FoundRows): OrderedGroup[] {
  const newest = new Map<string, number>()
  for (const row of rows) {
    const timeMs = columns.times[row] ?? 0
    const groupId = store.session(columns.sessions[row] ?? 0)?.groupId
    if (groupId !== undefined) newest.set(groupId, Math.max(newest.get(groupId) ?? 0, timeMs))
  }
  return [...newest]
    .flatMap(([groupId, timeMs]) => {
      const group = store.groups.get(groupId)
      return group === undefined ? [] : [{ group, timeMs, hash: hashGroup(groupId) }]
    })
    .sort((a, b) => b.timeMs - a.timeMs || a.hash - b.hash)
}

/** A title need not be in the file in the same form, so it is searched separately. */
function scanTitles(scan: ScanState, group: IndexGroup): void {
  const { store } = scan
  for (const { number } of store.sessionsOf(group.id)) {
    markFields(scan, titleId(number), () => storedTitlePieces(store, number))
  }
}

function hasMessages({ store, withMessages }: ScanState, group: IndexGroup): boolean {
  return store.sessionsOf(group.id).some(({ number }) => withMessages.has(number))
}

/** See `scanGroup`. At least one message is searched, unless its session takes too long to read. */
async function scanMessages(
  scan: ScanState,
  group: IndexGroup,
  { before, until }: MessageSpan,
): Promise<number | null> {
  const { store, candidates, pause, signal, clock } = scan
  if (signal.aborted) return null
  const read = await readInTime(scan, group)
  if (read === null) return before
  const sessions = new Map(read.map((session) => [session.key, session]))
  let done = 0
  for (const stored of store.sessionsOf(group.id)) {
    const ids = store.messageIds(stored.number)
    for (const message of sessions.get(stored.key)?.messages ?? []) {
      if (done >= until) return until
      if (done > before && clock.isOver) return done
      const id = ids.get(message.key)
      if (done >= before && id !== undefined && candidates.has(id)) {
        markFields(scan, id, () => fieldPieces(message))
        await pause()
        if (signal.aborted) return null
      }
      done += 1
    }
  }
  return null
}

/** null: it takes longer than the search may. The next search continues the reading. */
async function readInTime({ reader, clock }: ScanState, group: IndexGroup): Promise<Session[] | null> {
  for (;;) {
    const read = await reader.readOnce(group, Math.max(LEAST_READING_MS, clock.leftMs))
    if (read !== null || clock.isOver) return read
  }
}

/** If the pattern takes too long on a message, the rest of it is skipped, and it is counted. */
function markFields(scan: ScanState, id: number, piecesOf: () => FieldPiece[]): void {
  const { candidates, found, matcher, clock, progress } = scan
  const wanted = candidates.get(id)
  if (wanted === undefined) return
  let bits = 0
  clock.beginMessage()
  try {
    for (const { field, text } of piecesOf()) {
      const bit = fieldBits([field])
      if ((wanted & bit) !== 0 && (bits & bit) === 0 && matcher.isIn(text)) bits |= bit
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    progress.messagesLeftOut += 1
  }
  if (bits !== 0) found.set(id, bits)
}

const QUARTER_HOUR_MS = 15 * 60_000

/** The answer of a shard, for any source of rows: counts, those of the other trees, and the best hits. */
export function answerSearch(
  store: ShardStore,
  request: IndexSearchRequest,
  finder: RowFinder,
  scan: ScanProgress | null = null,
): ShardFound {
  const { tree, alsoCount = [], countsCalls } = request
  const count = (found: FoundRows): ShardCounts => ({
    ...countHits(found, (number) => store.session(number)?.key ?? ''),
    callCounts: countsCalls === true ? countCalls(found) : null,
  })
  const found = finder.find(tree)
  const texts = request.sort === 'recent' || tree === null ? [] : wantedTexts(tree)
  return {
    ...count(found),
    best: bestHits(
      store,
      found,
      texts.map((text) => finder.textBits(text)),
      request,
    ),
    alsoCounted: alsoCount.map((other) => count(finder.find(other))),
    scan,
  }
}

/** Counts hits by the calls of the messages: a message counts once for each tool and each status. */
function countCalls({ columns, rows, bits }: FoundRows): CallCounts {
  const hits = new Uint8Array(columns.size)
  for (const [at, row] of rows.entries()) hits[row] = hitCount(bits[at] ?? 0)
  const sums = (keyOf: (call: CallsOfRows) => string): HitsBy<string> => {
    const byKey = new Map<string, CallsOfRows[]>()
    for (const call of columns.calls) byKey.set(keyOf(call), [...(byKey.get(keyOf(call)) ?? []), call])
    /** By row, the last key it was counted for. */
    const counted = new Int32Array(hits.length)
    const found = [...byKey].flatMap(([key, calls], place) => {
      let sum = 0
      for (const call of calls) {
        for (const row of call.rows) {
          if (counted[row] === place + 1) continue
          counted[row] = place + 1
          sum += hits[row] ?? 0
        }
      }
      return sum === 0 ? [] : [[key, sum] as const]
    })
    return { keys: found.map(([key]) => key), hits: found.map(([, sum]) => sum) }
  }
  return { byTool: sums(({ name }) => name), byStatus: sums(({ status }) => status) }
}

/** The first hits after a position: by score, or newest first if unscored. */
function bestHits(
  store: ShardStore,
  { columns, rows, bits }: FoundRows,
  texts: Uint8Array[],
  { limit, after }: Pick<IndexSearchRequest, 'limit' | 'after'>,
): HitReference[] {
  const best = new BestHits<HitReference>(limit === 0 ? 0 : limit + 1, after)
  for (const [at, row] of rows.entries()) {
    const timeMs = columns.times[row] ?? 0
    for (const [field, name] of SEARCH_FIELDS.entries()) {
      if (((bits[at] ?? 0) & (1 << field)) === 0) continue
      const score = scoreHit(texts, row, field)
      best.offer(score, timeMs, () => {
        const { key = '', groupId = '' } = store.session(columns.sessions[row] ?? 0) ?? {}
        return {
          ...{ score, timeMs, sessionKey: key, place: columns.ordinals[row] ?? 0, field: name },
          ...{ group: hashGroup(groupId), groupId, row: columns.ids[row] ?? 0 },
        }
      })
    }
  }
  return best.inOrder()
}

/** Counts all hits of the matching rows. A row without a wanted word is one hit, in its main field. */
function countHits(
  { columns, rows, bits: bitsOfRows }: FoundRows,
  sessionKey: (sessionNumber: number) => string,
): Omit<ShardCounts, 'callCounts'> {
  const rowsByBits = new Array<number>(ALL_FIELDS + 1).fill(0)
  const sessions = new RunCounts()
  const unanswered = new RunCounts()
  const quarterHours = new RunCounts()
  const stateCounts = { error: 0, superseded: 0 }
  let total = 0
  let messageTotal = 0
  for (const [at, row] of rows.entries()) {
    const bits = bitsOfRows[at] ?? 0
    const flags = columns.flags[row] ?? 0
    const session = columns.sessions[row] ?? 0
    const hits = hitCount(bits)
    rowsByBits[bits] = (rowsByBits[bits] ?? 0) + 1
    total += hits
    if ((columns.ids[row] ?? 0) > 0) messageTotal += 1
    if ((flags & ROW_FLAGS.error) !== 0) stateCounts.error += hits
    if ((flags & ROW_FLAGS.superseded) !== 0) stateCounts.superseded += hits
    if ((flags & ROW_FLAGS.unanswered) !== 0) unanswered.add(session, hits)
    sessions.add(session, hits)
    quarterHours.add(Math.floor((columns.times[row] ?? 0) / QUARTER_HOUR_MS), hits)
  }
  return {
    total,
    messageTotal,
    bySession: sessions.by(sessionKey),
    byField: fieldHits(rowsByBits),
    byQuarterHour: quarterHours.by((quarterHour) => quarterHour * QUARTER_HOUR_MS),
    stateCounts,
    unansweredBySession: unanswered.by(sessionKey),
  }
}

function fieldHits(rowsByBits: number[]): HitsBy<(typeof SEARCH_FIELDS)[number]> {
  const hits = SEARCH_FIELDS.map((_, field) =>
    rowsByBits.reduce((sum, rows, bits) => sum + ((bits >> field) & 1) * rows, 0),
  )
  return { keys: [...SEARCH_FIELDS], hits }
}

/** Sums by number. Cheap for runs of equal numbers, as in the rows of a session. */
class RunCounts {
  readonly #sums = new Map<number, number>()
  #current = Number.NaN
  #sum = 0

  add(number: number, count: number): void {
    if (number !== this.#current) {
      this.#keep()
      this.#current = number
      this.#sum = 0
    }
    this.#sum += count
  }

  by<Key>(keyOf: (number: number) => Key): HitsBy<Key> {
    this.#keep()
    this.#sum = 0
    return { keys: [...this.#sums.keys()].map(keyOf), hits: [...this.#sums.values()] }
  }

  #keep(): void {
    if (this.#sum > 0) this.#sums.set(this.#current, (this.#sums.get(this.#current) ?? 0) + this.#sum)
  }
}
