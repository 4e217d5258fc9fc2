import type { SearchHit } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import type { HitReference } from '../find/count-hits.ts'
import type { IndexSearchRequest } from '../index-search.ts'
import { cutSnippet } from '../match/cut-snippet.ts'
import { queryMatcher } from '../match/query-matcher.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import { type FieldPiece, fieldPieces } from '../text/field-pieces.ts'
import { indexedPieces } from '../text/indexed-pieces.ts'
import type { SessionReader } from './session-reader.ts'
import { titlePieces } from './session-texts.ts'
import type { ShardStore } from './shard-store.ts'

/** The hits of a page with their snippets, read from the sessions' own files. In the order given. */
export async function describeHits(
  store: ShardStore,
  reader: SessionReader,
  request: Pick<IndexSearchRequest, 'mode' | 'tree' | 'pattern'>,
  references: HitReference[],
  pause: () => Promise<void>,
): Promise<SearchHit[]> {
  const { matcher } = await queryMatcher(request)
  const hits: SearchHit[] = []
  for (const reference of references) {
    const source = await readSource(store, reader, reference)
    hits.push(describe(reference, source, request.mode, matcher))
    await pause()
  }
  return hits
}

interface HitSource {
  messageKey: string | null
  /** null for a title, and where the message has gone from the disk since. */
  message: Message | null
  pieces: FieldPiece[]
}

async function readSource(
  store: ShardStore,
  reader: SessionReader,
  reference: HitReference,
): Promise<HitSource> {
  const stored = store.sessionsOf(reference.groupId).find(({ key }) => key === reference.sessionKey)
  if (reference.isTitle) {
    const record = stored === undefined ? null : store.record(stored.number)
    return { messageKey: null, message: null, pieces: record === null ? [] : titlePieces(record) }
  }
  const messageKey = stored === undefined ? null : messageKeyOf(store, stored.number, reference.row)
  const group = store.groups.get(reference.groupId)
  const sessions = group === undefined ? [] : await reader.read(group)
  const session = sessions.find(({ key }) => key === reference.sessionKey)
  const message = session?.messages.find(({ key }) => key === messageKey) ?? null
  return { messageKey, message, pieces: message === null ? [] : fieldPieces(message) }
}

function messageKeyOf(store: ShardStore, sessionNumber: number, row: number): string | null {
  const slot = store.table.rowsOf(sessionNumber).indexOf(row)
  return store.slots(sessionNumber)[slot]?.[0] ?? null
}

function describe(
  { sessionKey, field, timeMs, isTitle }: HitReference,
  { messageKey, message, pieces }: HitSource,
  mode: IndexSearchRequest['mode'],
  matcher: TextMatcher | null,
): SearchHit {
  const ofField = pieces.filter((piece) => piece.field === field)
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
    superseded: message !== null && message.superseded !== null,
  }
}

/** For a query of filters: the beginning of what was said. */
const NOTHING: TextMatcher = { isIn: () => false, ranges: () => [] }

function isoTime(timeMs: number): string | null {
  return timeMs === 0 ? null : new Date(timeMs).toISOString()
}
