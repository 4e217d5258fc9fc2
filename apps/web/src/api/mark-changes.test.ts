import type { SessionList } from '@gemini-dash/api'
import { type InfiniteData, QueryClient } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { putMarked } from './tab-state.ts'

test('a list that waits to be asked again goes on waiting when a session of it, or another, is marked', async () => {
  const client = new QueryClient()
  const queryKey = ['sessions', {}, 'UTC']
  const row = { key: 'a', title: 'A', titleSource: 'summary', mark: null } as unknown as SessionSummary
  client.setQueryData(queryKey, { pages: [{ sessions: [row] }], pageParams: [undefined] })
  await client.invalidateQueries({ queryKey })
  putMarked(client, { ...row, key: 'b', title: 'B' })
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
  putMarked(client, { ...row, title: 'Mine' })
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
  const list = client.getQueryData<InfiniteData<SessionList>>(queryKey)
  expect(list?.pages[0]?.sessions[0]?.title).toBe('Mine')
})
