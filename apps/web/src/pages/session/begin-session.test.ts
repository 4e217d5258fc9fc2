import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { beginSession } from './begin-session.ts'

const asked: string[] = []
const DETAIL = '/api/sessions/k1?outline=columns'

afterEach(() => {
  asked.length = 0
  vi.unstubAllGlobals()
})

function opened(opening: Partial<Parameters<typeof beginSession>[1]> = {}, client = new QueryClient()) {
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return Response.json({})
  })
  beginSession(client, { sessionRef: 'k1', hash: '', hit: undefined, show: undefined, ...opening })
  return client
}

test('the first messages are asked for before the session as a whole', () => {
  opened()
  expect(asked).toEqual(['/api/sessions/k1/messages?offset=0&limit=100&partial=allow', DETAIL])
})

test('what was only the beginning is asked for again, and drawn meanwhile', async () => {
  const client = new QueryClient()
  const beginning = { partial: true, session: { key: 'k1' }, outline: [], messages: [{ key: 'm1' }] }
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    if (path === DETAIL) return new Promise(() => {})
    return Response.json(path.includes('partial') ? beginning : { partial: false, messages: [] })
  })
  beginSession(client, { sessionRef: 'k1', hash: '', hit: undefined, show: undefined })
  await expect.poll(() => asked.at(-1)).toBe('/api/sessions/k1/messages?offset=0&limit=100')
  expect(client.getQueryData(['opening', 'k1'])).toMatchObject({ beginning: [{ key: 'm1' }] })
  const [[, page] = []] = client.getQueriesData({ queryKey: ['session', 'k1', 'messages'] })
  expect(page).toEqual({ partial: false, messages: [] })
})

test.each([
  { hash: '#m-a' },
  { hit: 'b' },
  { show: 'errors' as const },
  { view: 'cost' as const },
  { q: 'word' },
])('%o wants what only the whole session tells', (opening) => {
  opened(opening)
  expect(asked.filter((path) => path.includes('partial'))).toEqual([])
})

test.each([
  [{ hash: '#m-a~call-0' }, 'a'],
  [{ hit: 'b' }, 'b'],
  [{ hash: '#m-a', hit: 'b' }, 'a'],
])('%o has the place of its message asked for first', (opening, messageKey) => {
  opened(opening)
  expect(asked[0]).toBe(`/api/sessions/k1/messages?around=${messageKey}&limit=3`)
  expect(asked).toHaveLength(3)
})

test('a filter holds from the first page on', () => {
  opened({ show: 'errors' })
  expect(asked[0]).toBe('/api/sessions/k1/messages?offset=0&limit=100&show=errors')
})

test('another step within an open session asks for nothing', async () => {
  const client = opened()
  opened({ hash: '#m-z' }, client)
  expect(asked).toHaveLength(2)
})

test('when the session changes, what it says of its messages is asked for before them', async () => {
  const client = opened()
  await expect.poll(() => client.isFetching()).toBe(0)
  asked.length = 0
  await client.refetchQueries({ queryKey: ['session'] })
  expect(asked.map((path) => path.split('?')[0])).toEqual(['/api/sessions/k1', '/api/sessions/k1/messages'])
})
