import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBatcher } from './live-events.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a burst is handed over once, in order', async () => {
  const batches: string[][] = []
  const batcher = createBatcher<string>(100, async (items) => batches.push(items))
  batcher.add('a')
  await vi.advanceTimersByTimeAsync(60)
  batcher.add('b')
  await vi.advanceTimersByTimeAsync(60)
  expect(batches).toEqual([['a', 'b']])
})

test('what comes during a slow hand-over waits for its end, and is not lost', async () => {
  const batches: string[][] = []
  const batcher = createBatcher<string>(100, async (items) => {
    batches.push(items)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  })
  batcher.add('a')
  await vi.advanceTimersByTimeAsync(200)
  batcher.add('b')
  batcher.add('c')
  await vi.advanceTimersByTimeAsync(800)
  expect(batches).toEqual([['a']])
  await vi.advanceTimersByTimeAsync(300)
  expect(batches).toEqual([['a'], ['b', 'c']])
})

test('nothing is handed over after the stop', async () => {
  const batches: string[][] = []
  const batcher = createBatcher<string>(100, async (items) => batches.push(items))
  batcher.add('a')
  batcher.stop()
  await vi.advanceTimersByTimeAsync(500)
  expect(batches).toEqual([])
})
