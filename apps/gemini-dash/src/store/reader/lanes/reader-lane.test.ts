import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import type { SessionPlace } from '../place/session-place.ts'
import { ReaderLane } from './reader-lane.ts'
import type { ReaderQuestion } from './reader-question.ts'

/** Dies in the way that the question names. */
const MORTAL = new URL('../../../../test/mortal-reader.mjs', import.meta.url)
/** Two seconds of silence: on a busy machine a thread that is well takes one to begin. */
const FAST = { lookMs: 50, silentLooks: 40, idleLooks: 40, longestLooks: 200 }

let lane: ReaderLane
afterEach(() => lane.close())

function ask(question: ReaderQuestion, fingerprint = 'one'): Promise<unknown> {
  const source = { id: 'group', fingerprint, files: [] }
  // The test's worker looks at the question alone.
  return lane.ask(question as 'detail', { source } as unknown as SessionPlace & { asked: object })
}

function openLane(): void {
  lane = new ReaderLane(
    MORTAL,
    { skeletonDirectory: null },
    { limits: FAST, resourceLimits: { maxOldGenerationSizeMb: 32 }, tellProblem: () => {} },
  )
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
    openLane()
    await expect(ask(question)).rejects.toMatchObject({ code })
    await expect(ask('messages')).resolves.toBe('a page')
  })

  test('works long, but works, is waited for', async () => {
    openLane()
    await expect(ask('transcript')).resolves.toBe('a long transcript')
  })

  test('ends at rest is replaced by the next question', async () => {
    openLane()
    await expect(ask('calls')).resolves.toBe('calls')
    await once(lane.start(), 'exit')
    await expect(ask('messages')).resolves.toBe('a page')
  })
})

test('questions beside the one that ends a thread are not lost', async () => {
  openLane()
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
  openLane()
  await expect(ask('cost')).rejects.toMatchObject({ code: 'reader-stopped' })
  const worker = lane.start()
  await expect(ask('cost')).rejects.toMatchObject({ code: 'reader-stopped' })
  expect(lane.start()).toBe(worker)
  await expect(ask('cost', 'grown')).rejects.toMatchObject({ code: 'reader-stopped' })
  expect(lane.start()).not.toBe(worker)
})

test('closing it ends what hangs', async () => {
  openLane()
  const hanging = expect(ask('waste')).rejects.toThrow('has stopped')
  await lane.close()
  await hanging
})
