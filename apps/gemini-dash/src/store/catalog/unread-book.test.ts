import { afterEach, expect, it, vi } from 'vitest'
import { UnreadBook } from './unread-book.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('R34: what cannot be read is tried again on time, also when the clock is set back meanwhile', async () => {
  const retried: string[] = []
  const book = new UnreadBook(
    (ids) => retried.push(...ids),
    () => {},
  )
  book.set('group', [{ path: '/home/a/.gemini/tmp/shop/chats/session.jsonl', code: 'EIO' }])
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  await expect.poll(() => retried.length).toBeGreaterThan(0)
  book.close()
  expect(retried).toEqual(['group'])
})

it('A2: what is found unread again and again beside its turn is tried no later for that', async () => {
  const retried: string[] = []
  const book = new UnreadBook(
    (ids) => retried.push(...ids),
    () => {},
  )
  const files = [{ path: '/home/a/.gemini/tmp/shop/chats/session.jsonl', code: 'EIO' }]
  for (let look = 0; look < 10; look += 1) book.set('scan', files)
  await expect.poll(() => retried.length).toBeGreaterThan(0)
  book.close()
  expect(retried).toEqual(['scan'])
})
