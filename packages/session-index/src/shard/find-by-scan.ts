import type { SearchField } from '@gemini-dash/api'
import type { IndexSearchRequest } from '../index-search.ts'
import { queryMatcher } from '../match/query-matcher.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import { type HitFilter, hitFilter } from './hit-filter.ts'
import { HitTally, type ShardFound } from './hit-tally.ts'
import type { SessionReader } from './session-reader.ts'
import { type SessionText, sessionTexts } from './session-texts.ts'
import type { ShardStore, StoredSession } from './shard-store.ts'

/** Reads every session again and looks at the whole of its text: for what the index of words cannot answer. */
export async function findByScan(
  store: ShardStore,
  reader: SessionReader,
  request: IndexSearchRequest,
  pause: () => Promise<void>,
): Promise<ShardFound> {
  const tally = new HitTally(request)
  const { matcher } = await queryMatcher(request)
  const filter = hitFilter(request)
  if (matcher === null || filter.fields.length === 0) return tally.result()
  for (const group of [...store.groups.values()]) {
    const stored = store.sessionsOf(group.id).filter((session) => filter.hasSession(session.key))
    if (stored.length === 0) continue
    const sessions = new Map((await reader.readOnce(group)).map((session) => [session.key, session]))
    for (const known of stored) {
      const session = sessions.get(known.key)
      const record = store.record(known.number)
      if (session === undefined || record === null) continue
      for (const text of sessionTexts(session, record)) {
        addText(tally, known, text, matcher, filter)
        await pause()
      }
    }
  }
  return tally.result()
}

function addText(
  tally: HitTally,
  { key, groupId }: StoredSession,
  { message, timeMs, place, pieces }: SessionText,
  matcher: TextMatcher,
  filter: HitFilter,
): void {
  if (!filter.hasTime(timeMs)) return
  const fields = new Set<SearchField>()
  for (const { field, text } of pieces) {
    if (filter.fields.includes(field) && !fields.has(field) && matcher.isIn(text)) fields.add(field)
  }
  tally.add({
    sessionKey: key,
    groupId,
    messageKey: message?.key ?? null,
    isTitle: message === null,
    timeMs,
    place,
    score: 0,
    fields: [...fields],
    rowId: null,
  })
}
