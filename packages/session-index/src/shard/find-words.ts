import type { SearchField } from '@gemini-dash/api'
import type { IndexSearchRequest } from '../index-search.ts'
import { parseWords } from '../match/parse-words.ts'
import { allPhrases, allPhrasesWithOneIn } from '../match/to-fts-expression.ts'
import { hitFilter } from './hit-filter.ts'
import { HitTally, type ShardFound } from './hit-tally.ts'
import { SLOTS_PER_SESSION } from './schema.ts'
import type { ShardStore } from './shard-store.ts'

/** Beyond this, scoring every match takes longer than a reader waits. */
export const MAX_RANKED_MESSAGES = 5_000

/** Looks words up in the index. A message must hold all of them; each of its fields that holds one is a hit. */
export function findWords(store: ShardStore, request: IndexSearchRequest): ShardFound {
  const tally = new HitTally(request)
  const { phrases } = parseWords(request.text)
  const filter = hitFilter(request)
  if (phrases.length === 0 || filter.fields.length === 0) return tally.result()
  const fieldsByRow = new Map<number, SearchField[]>()
  for (const field of filter.fields) {
    for (const rowId of rowIds(store, allPhrasesWithOneIn(phrases, filter.fields, field))) {
      const known = fieldsByRow.get(rowId)
      if (known === undefined) fieldsByRow.set(rowId, [field])
      else known.push(field)
    }
  }
  const isRanked = request.sort === 'relevance' && fieldsByRow.size <= MAX_RANKED_MESSAGES
  const scores = isRanked ? scoresOf(store, allPhrases(phrases, filter.fields)) : null
  for (const [rowId, fields] of fieldsByRow) {
    const session = store.session(Math.floor(rowId / SLOTS_PER_SESSION))
    if (session === undefined || !filter.hasSession(session.key)) continue
    const slot = rowId % SLOTS_PER_SESSION
    const { timesMs, places } = store.times(session.number)
    const timeMs = timesMs[slot]
    // A row of a session that is being written just now.
    if (timeMs === undefined || !filter.hasTime(timeMs)) continue
    tally.add({
      sessionKey: session.key,
      groupId: session.groupId,
      messageKey: null,
      isTitle: slot === 0,
      timeMs,
      place: places[slot] ?? 0,
      score: scores?.get(rowId) ?? 0,
      fields,
      rowId,
    })
  }
  return tally.result({ isRanked })
}

/** As one JSON text: a single crossing from wasm instead of one for each row. */
function rowIds(store: ShardStore, expression: string): number[] {
  const row = store.database.get(
    'SELECT json_group_array(rowid) AS ids FROM text WHERE text MATCH ?',
    expression,
  )
  return JSON.parse(String(row?.ids ?? '[]'))
}

// In the order of the columns: a word in a title or a prompt says more than one in a tool's output.
const COLUMN_WEIGHTS = '8, 4, 3, 2, 1, 1, 1, 1'

function scoresOf(store: ShardStore, expression: string): Map<number, number> {
  const rows = store.database.all(
    `SELECT rowid AS id, bm25(text, ${COLUMN_WEIGHTS}) AS score FROM text WHERE text MATCH ?`,
    expression,
  )
  return new Map(rows.map(({ id, score }) => [Number(id), Number(score)]))
}
