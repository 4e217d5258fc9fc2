import { afterEach, expect, it, vi } from 'vitest'
import { Retries } from './retries.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('R34: what cannot be read is tried again on time, also when the clock is set back meanwhile', async () => {
  const retried: string[] = []
  const retries = new Retries(
    (ids) => retried.push(...ids),
    () => {},
  )
  retries.set('group', [{ path: '/home/a/.gemini/tmp/shop/chats/session.jsonl', code: 'EIO' }])
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  await vi.waitUntil(() => retried.length > 0, { timeout: 60_000 })
  retries.close()
  expect(retried).toEqual(['group'])
})

it('A2: what is found unread again and again beside its turn is tried no later for that', async () => {
  const retried: string[] = []
  const retries = new Retries(
    (ids) => retried.push(...ids),
    () => {},
  )
  const files = [{ path: '/home/a/.gemini/tmp/shop/chats/session.jsonl', code: 'EIO' }]
  for (let look = 0; look < 10; look += 1) retries.set('scan', files)
  await vi.waitUntil(() => retried.length > 0, { timeout: 60_000 })
  retries.close()
  expect(retried).toEqual(['scan'])
})

it('R56: a session over which threads died is read again, for that may have had another cause', () => {
  vi.useFakeTimers()
  const retried: string[] = []
  const retries = new Retries(
    (ids) => retried.push(...ids),
    () => {},
  )
  retries.fail('group')
  vi.advanceTimersByTime(9_000)
  expect(retried).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(retried).toEqual(['group'])
  retries.delete('group')
  vi.advanceTimersByTime(3_600_000)
  expect([retried, retries.has('group')]).toEqual([['group'], false])
})

it('R56: what kills each thread that reads it is not tried for ever', () => {
  vi.useFakeTimers()
  const retried: string[] = []
  const retries = new Retries(
    (ids) => {
      retried.push(...ids)
      for (const id of ids) retries.fail(id)
    },
    () => {},
  )
  retries.fail('group')
  // Fails again outside of its turn.
  retries.fail('group')
  vi.advanceTimersByTime(24 * 3_600_000)
  expect([retried.length, retries.has('group')]).toEqual([3, true])
})

it('nothing is tried after the end', () => {
  vi.useFakeTimers()
  const retried: string[] = []
  const retries = new Retries(
    (ids) => retried.push(...ids),
    () => {},
  )
  retries.fail('group')
  retries.close()
  retries.fail('other')
  vi.advanceTimersByTime(3_600_000)
  expect(retried).toEqual([])
})
