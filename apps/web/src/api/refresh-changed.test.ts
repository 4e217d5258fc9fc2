import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { refreshLists, refreshSessions } from './live-events.ts'
import { forgottenSessions, removedSessions } from './tab-state.ts'

let client: QueryClient

beforeEach(() => {
  client = new QueryClient()
  for (const key of [
    ['health'],
    ['sessions', {}],
    ['projects'],
    ['usage', {}],
    ['marks'],
    ['marks', 'k1'],
    ['marks', 'k2'],
    ['search', { q: 'x' }],
    ['doctor'],
  ]) {
    client.setQueryData(key, {})
  }
  client.setQueryData(['session', 'k1'], { session: { key: 'k1' } })
  client.setQueryData(['session', 'k1', 'messages', {}], {})
  client.setQueryData(['session', 'a82545c4'], { session: { key: 'k2' } })
  client.setQueryData(['session', 'a82545c4', 'messages', {}], {})
})

test('a changed session asks again for the lists', async () => {
  await refreshLists(client, [{ kind: 'changed', sessionKey: 'k1' }])
  expect(invalidated()).toEqual(['projects', 'search', 'sessions', 'usage'])
})

test('of a changed session no search over all files is run', async () => {
  client.setQueryData(['search', { q: 'x', mode: 'regex' }, 'UTC'], {})
  client.setQueryData(['search', 'quick', 'x'], {})
  await refreshLists(client, [{ kind: 'changed', sessionKey: 'k1' }, { kind: 'warnings' }])
  expect(invalidated()).toEqual([
    'doctor',
    'health',
    'projects',
    'search',
    'search/quick/x',
    'sessions',
    'usage',
  ])
})

test('a changed session asks again for itself, with all that hangs on it, and for no other', async () => {
  await refreshSessions(client, [{ kind: 'changed', sessionKey: 'k1' }])
  expect(invalidated()).toEqual(['session/k1', 'session/k1/messages'])
})

test('a session that was opened by its id or a prefix is found by its key', async () => {
  await refreshSessions(client, [{ kind: 'changed', sessionKey: 'k2' }])
  expect(invalidated()).toEqual(['session/a82545c4', 'session/a82545c4/messages'])
})

test('what was read of a removed session is kept, also when everything is asked again, until its file is back', async () => {
  await refreshSessions(client, [{ kind: 'removed', sessionKey: 'k2' }])
  expect(removedSessions.has('k2')).toBe(true)
  expect(invalidated()).toEqual([])
  expect(client.defaultQueryOptions({ queryKey: ['session', 'a82545c4', 'messages', {}] }).staleTime).toBe(
    'static',
  )

  await refreshSessions(client, [{ kind: 'changed', sessionKey: 'k2' }])
  expect(removedSessions.has('k2')).toBe(false)
  expect(invalidated()).toEqual(['session/a82545c4', 'session/a82545c4/messages'])
  expect(client.defaultQueryOptions({ queryKey: ['session', 'a82545c4'] }).staleTime).toBe(undefined)
})

test('a session that is removed or forgotten is not asked for again by what concerns all', async () => {
  await refreshSessions(client, [{ kind: 'removed', sessionKey: 'k2' }])
  forgottenSessions.add('k1')
  await refreshLists(client, [{ kind: 'projects' }])
  expect(invalidated()).toEqual(['health', 'projects', 'search', 'sessions', 'usage'])
  forgottenSessions.delete('k1')
  removedSessions.mark('k2', false)
})

test('a file that is replaced, gone and back in one batch, is asked for again', async () => {
  await refreshSessions(client, [
    { kind: 'removed', sessionKey: 'k1' },
    { kind: 'changed', sessionKey: 'k1' },
  ])
  expect(removedSessions.has('k1')).toBe(false)
  expect(invalidated()).toEqual(['session/k1', 'session/k1/messages'])
})

test('what a person said of a session asks again for its row and marks, and for no message', async () => {
  await refreshSessions(client, [{ kind: 'marked', sessionKey: 'k2' }])
  expect(invalidated()).toEqual(['marks', 'marks/k2', 'session/a82545c4'])
  await refreshLists(client, [{ kind: 'marked', sessionKey: 'k2' }])
  expect(invalidated()).toEqual(['marks', 'marks/k2', 'search', 'session/a82545c4', 'sessions'])
})

test('progress of the index concerns every list, but no open session that is read', async () => {
  await refreshLists(client, [{ kind: 'index' }])
  await refreshSessions(client, [{ kind: 'index' }])
  expect(invalidated()).toEqual(['doctor', 'health', 'projects', 'search', 'sessions', 'usage'])
})

test('what was asked for the first time when something changed is asked for once more', async () => {
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve
  })
  let count = 0
  const queryFn = async () => {
    count += 1
    const asked = count
    await isAnswered
    return asked
  }
  const drawn = new QueryObserver(client, { queryKey: ['search', { q: 'y' }], queryFn })
  const end = drawn.subscribe(() => {})
  const isRefreshed = refreshLists(client, [{ kind: 'index' }])
  answer()
  await isRefreshed
  expect(drawn.getCurrentResult().data).toBe(2)
  end()
})

function invalidated(): string[] {
  return client
    .getQueryCache()
    .getAll()
    .filter((query) => query.state.isInvalidated)
    .map((query) => query.queryKey.filter((part) => typeof part === 'string').join('/'))
    .sort()
}

test.each([
  ['for its row alone', [], false],
  ['for all of it where its sub-agents have been found', ['k3'], true],
])(
  'progress of the index asks again %s where a session was opened before it was read',
  async (_, subagentKeys, isAll) => {
    const unread = { key: 'k1', counts: null, live: false, subagentKeys: [] }
    client.setQueryData(['session', 'k1'], { state: 's', session: unread })
    client.setQueryData(['session', 'a82545c4'], { session: { key: 'k2', counts: {} } })
    client.setQueryDefaults(['session', 'k1'], {
      queryFn: async () => ({ state: 's', session: { ...unread, counts: {}, subagentKeys } }),
    })
    const drawn = new QueryObserver(client, { queryKey: ['session', 'k1'] })
    const end = drawn.subscribe(() => {})
    await refreshLists(client, [{ kind: 'index' }])
    expect(drawn.getCurrentResult().data).toMatchObject({ session: { counts: {} } })
    const isStale = (...queryKey: unknown[]) => client.getQueryState(queryKey)?.isInvalidated
    expect([isStale('session', 'k1', 'messages', {}), isStale('session', 'a82545c4')]).toEqual([isAll, false])
    end()
  },
)
