import type { SearchHit } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import type { IndexSearchRequest } from '../contract/index-search.ts'
import type { SessionRecord } from '../contract/session-record.ts'
import type { HitReference } from '../find/hits/shard-found.ts'
import { tellingFirst } from '../find/hits/telling-first.ts'
import { cutSnippet } from '../match/cut-snippet.ts'
import { queryMatcher } from '../match/query-matcher.ts'
import { type SearchClock, withinTime } from '../match/search-clock.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import { ROW_FLAGS } from '../rows/row-flags.ts'
import type { MessageReader } from '../source/message-reader.ts'
import type { SessionReader } from '../source/session-reader.ts'
import { titlePieces } from '../store/session-texts.ts'
import type { ShardStore } from '../store/shard-store.ts'
import { encodePieces, hashPieces } from '../store/text-columns.ts'
import { type FieldPiece, fieldPieces } from '../text/field-pieces.ts'
import { indexedPieces } from '../text/indexed-pieces.ts'

/** What reads the texts of hits. */
export interface HitSources {
  store: ShardStore
  /** Reads whole groups. */
  sessions: SessionReader
  /** Reads single messages. */
  messages: MessageReader
}

/**
 * The hits of a page with their snippets, read from the sessions' own files. In the order given. Where the time is over, a
 * snippet is the beginning of its text, without ranges.
 */
export async function describeHits(
  sources: HitSources,
  request: Pick<IndexSearchRequest, 'mode' | 'tree' | 'pattern'>,
  references: HitReference[],
  { clock, pause }: { clock: SearchClock; pause: () => Promise<void> },
): Promise<SearchHit[]> {
  const found = await queryMatcher(request, clock.check)
  const matcher = found.matcher && withinTime(found.matcher, clock)
  const hits: SearchHit[] = []
  for (const reference of references) {
    const source = await readSource(sources, reference, request.mode, matcher)
    hits.push(describe(reference, source, request, matcher))
    await pause()
  }
  return hits
}

interface HitSource {
  messageKey: string | null
  /** null for a title, and where the message has gone from the disk since. */
  message: Message | null
  isSuperseded: boolean
  pieces: FieldPiece[]
}

async function readSource(
  sources: HitSources,
  reference: HitReference,
  mode: IndexSearchRequest['mode'],
  matcher: TextMatcher | null,
): Promise<HitSource> {
  const { store } = sources
  const stored = store.sessionsOf(reference.groupId).find(({ key }) => key === reference.sessionKey)
  if (reference.isTitle || stored === undefined) {
    const record = stored === undefined ? null : store.record(stored.number)
    const pieces = record === null ? [] : titleToShow(record, matcher)
    return { messageKey: null, message: null, isSuperseded: false, pieces }
  }
  const slot = store.table.slots[reference.row] ?? -1
  const messageKey = store.slots(stored.number)[slot]?.[0] ?? null
  const isSuperseded = ((store.table.flags[reference.row] ?? 0) & ROW_FLAGS.superseded) !== 0
  const alone = readAlone(sources, stored.number, slot, reference)
  if (alone !== null && (mode === 'words' || alone.pieces.some(({ text }) => matcher?.isIn(text)))) {
    return { messageKey, isSuperseded, ...alone }
  }
  const message = await readWithGroup(sources, reference, messageKey)
  return { messageKey, message, isSuperseded, pieces: message === null ? [] : fieldPieces(message) }
}

/** Where filters alone led to a session, the title that it has in lists, though it may be its first prompt. */
function titleToShow(record: SessionRecord, matcher: TextMatcher | null): FieldPiece[] {
  const pieces = titlePieces(record)
  const { title } = record.summary
  if (title === '' || pieces.some(({ text }) => matcher?.isIn(text))) return pieces
  return [{ field: 'title', text: title, toolName: null }]
}

/** The message from its record alone, if that says all that is indexed of it. */
function readAlone(
  { store, messages }: HitSources,
  sessionNumber: number,
  slot: number,
  { groupId, timeMs }: HitReference,
): { message: Message; pieces: FieldPiece[] } | null {
  const { files, records } = store.rows(sessionNumber)
  const file = store.groups.get(groupId)?.files[files[slot] ?? 0]
  const message = file === undefined ? null : messages.read(file, records[slot] ?? 0)
  // A message without a time takes that of the one before, which is not known here.
  if (message === null || Date.parse(message.timestamp ?? '') !== timeMs) return null
  const pieces = fieldPieces(message)
  const isWhole = store.slots(sessionNumber)[slot]?.[1] === hashPieces(encodePieces(indexedPieces(pieces)))
  return isWhole ? { message, pieces } : null
}

async function readWithGroup(
  { store, sessions }: HitSources,
  { groupId, sessionKey }: HitReference,
  messageKey: string | null,
): Promise<Message | null> {
  const group = store.groups.get(groupId)
  const session = (group === undefined ? [] : await sessions.read(group)).find(
    ({ key }) => key === sessionKey,
  )
  return session?.messages.find(({ key }) => key === messageKey) ?? null
}

function describe(
  { sessionKey, field, timeMs, isTitle }: HitReference,
  { messageKey, message, isSuperseded, pieces }: HitSource,
  { mode, tree }: Pick<IndexSearchRequest, 'mode' | 'tree'>,
  matcher: TextMatcher | null,
): SearchHit {
  const ofField = tellingFirst(
    pieces.filter((piece) => piece.field === field),
    tree,
    message,
  )
  const searched = mode === 'words' ? indexedPieces(ofField) : ofField
  const piece = searched.find(({ text }) => matcher?.isIn(text)) ?? searched[0]
  const snippet =
    piece === undefined ? { snippet: '', ranges: [] } : cutSnippet(piece.text, matcher ?? NOTHING)
  return {
    sessionKey,
    messageKey,
    messageId: message?.id ?? null,
    field,
    ...snippet,
    timestamp: isTitle ? isoTime(timeMs) : (message?.timestamp ?? null),
    toolName: piece?.toolName ?? null,
    superseded: isSuperseded,
  }
}

/** For a query of filters: the beginning of what was said. */
const NOTHING: TextMatcher = { isIn: () => false, ranges: () => [] }

function isoTime(timeMs: number): string | null {
  return timeMs === 0 ? null : new Date(timeMs).toISOString()
}
