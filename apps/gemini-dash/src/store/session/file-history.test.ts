import { fileHistoryQuerySchema } from '@gemini-dash/api'
import type { IndexSearchRequest, IndexSearchResult } from '@gemini-dash/session-index'
import { expect, test } from 'vitest'
import type { SearchScope } from '../search/search-scope.ts'
import { fileHistory } from './compare-sessions.ts'

const SESSIONS = ['a', 'b', 'c']
/** Two messages of each session, which take turns. */
const HITS = ['a', 'b', 'a', 'c', 'b', 'c'].map((sessionKey, place) => {
  return { sessionKey, messageKey: `${sessionKey}${place}` }
})

const POSITION = { score: 0, timeMs: 0, group: 0, field: 'tool-args' } as const

test('S7: a page that takes too long ends with the sessions that were read, and its cursor leads to the rest', async () => {
  const scope = {
    projects: [],
    sessions: new Map(
      SESSIONS.map((key) => [key, { summary: { key, title: key, kind: 'main', project: { key: 'p' } } }]),
    ),
    coverage: { filesDone: 3, filesTotal: 3 },
  } as unknown as SearchScope
  let nowMs = 0
  const reads: string[] = []
  const sources = {
    search: async ({ after, limit }: IndexSearchRequest) => {
      const start = after === undefined ? 0 : after.place + 1
      const positions = HITS.map(({ sessionKey }, place) => ({ ...POSITION, sessionKey, place }))
      return {
        hits: HITS.slice(start, start + limit),
        positions: positions.slice(start, start + limit),
        hasMore: start + limit < HITS.length,
        total: HITS.length,
        messageTotal: HITS.length,
        sessionTotal: SESSIONS.length,
      } as unknown as IndexSearchResult
    },
    read: async (sessionKey: string, _: string, messageKeys: string[]) => {
      reads.push(sessionKey)
      nowMs += 11_000
      return messageKeys.map((messageKey) => ({
        messageKey,
        timestamp: null,
        prompt: null,
        calls: [{ action: 'read' }],
      })) as never
    },
  }
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const query = fileHistoryQuerySchema.parse({ path: '/x', cursor })
    const page = await fileHistory(query, scope, sources, () => nowMs)
    pages.push(page.entries.map(({ messageKey }) => messageKey))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(pages.flat().sort()).toEqual(HITS.map(({ messageKey }) => messageKey).sort())
  expect(pages).toHaveLength(6)
  expect(reads).toHaveLength(6)
})
