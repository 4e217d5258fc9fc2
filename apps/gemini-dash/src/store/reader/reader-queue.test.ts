import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import type { ReaderQuestion } from './reader-client.ts'
import { ReaderQueue } from './reader-client.ts'
import type { SessionPlace } from './session-place.ts'

/** Dies in the way that the question names. */
const MORTAL = new URL('../../../test/mortal-reader.mjs', import.meta.url)
/** Two seconds of silence: on a busy machine a healthy thread takes one to start. */
const FAST = { lookMs: 50, silentLooks: 40, idleLooks: 40, longestLooks: 200 }

let queue: ReaderQueue
afterEach(() => queue.close())

function ask(question: ReaderQuestion, fingerprint = 'one'): Promise<unknown> {
  const source = { id: 'group', fingerprint, files: [] }
  // The test's worker only reads the question.
  return queue.ask(question as 'detail', { source } as unknown as SessionPlace & { asked: object })
}

function openQueue(): void {
  queue = new ReaderQueue(MORTAL, { limits: FAST, resourceLimits: { maxOldGenerationSizeMb: 32 } })
}

describe('a reader that', () => {
  test.each<[string, ReaderQuestion, string]>([
    ['throws beside its answer', 'messages/:messageKey/raw', 'reader-stopped'],
    ['exits', 'cost', 'reader-stopped'],
    ['goes round in circles', 'waste', 'reader-timeout'],
    ['never answers', 'context', 'reader-timeout'],
    ['makes what cannot be cloned', 'map', 'reader-unsendable'],
    ['runs out of memory', 'find', 'reader-stopped'],
    ['answers what cannot be read here', 'timeline', 'reader-unsendable'],
  ])('%s is told, and the next question is answered', async (_way, question, code) => {
    openQueue()
    await expect(ask(question)).rejects.toMatchObject({ code })
    await expect(ask('messages')).resolves.toBe('a page')
  })

  test('works long, but works, is waited for', async () => {
    openQueue()
    await expect(ask('transcript')).resolves.toBe('a long transcript')
  })

  test('is silent because it gets no processor is waited for', async () => {
    openQueue()
    await expect(ask('why')).resolves.toBe('a late answer')
  })

  test('ends at rest is replaced by the next question', async () => {
    openQueue()
    await expect(ask('calls')).resolves.toBe('calls')
    await once(queue.start(), 'exit')
    await expect(ask('messages')).resolves.toBe('a page')
  })
})

test('questions beside the one that ends a thread are not lost', async () => {
  openQueue()
  const [before, culprit, after] = await Promise.allSettled([
    ask('detail'),
    ask('cost'),
    ask('messages', 'two'),
  ])
  expect(before).toEqual({ status: 'fulfilled', value: 'a detail' })
  expect(culprit).toMatchObject({ status: 'rejected', reason: { code: 'reader-stopped' } })
  expect(after).toEqual({ status: 'fulfilled', value: 'a page' })
})

test('what ended a thread is not put to the next one at once; the grown file is', async () => {
  openQueue()
  await expect(ask('cost')).rejects.toMatchObject({ code: 'reader-stopped' })
  const worker = queue.start()
  await expect(ask('cost')).rejects.toMatchObject({ code: 'reader-stopped' })
  expect(queue.start()).toBe(worker)
  await expect(ask('cost', 'grown')).rejects.toMatchObject({ code: 'reader-stopped' })
  expect(queue.start()).not.toBe(worker)
})

test('closing it ends what hangs', async () => {
  openQueue()
  const hanging = expect(ask('waste')).rejects.toThrow('has stopped')
  await queue.close()
  await hanging
})
