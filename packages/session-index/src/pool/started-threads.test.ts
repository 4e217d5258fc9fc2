import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { defaultShards, endWaitingThreads, startThreads, takeThread } from './started-threads.ts'

const WAITS = new URL("data:text/javascript,import 'node:worker_threads'; setInterval(() => {}, 1000)")
const FAILS = new URL('data:text/javascript,throw new Error("cannot be loaded")')

const taken: Worker[] = []
afterEach(async () => {
  endWaitingThreads()
  await Promise.all(taken.splice(0).map((worker) => worker.terminate()))
})

function take(): Worker {
  const worker = takeThread({ workerUrl: WAITS, workerExecArgv: [] })
  taken.push(worker)
  return worker
}

/** A thread started now: earlier ones have lower numbers. */
function startAnother(): Worker {
  const worker = new Worker(WAITS)
  taken.push(worker)
  return worker
}

test('threads that were started before are taken first, each once', () => {
  startThreads(WAITS)
  const { threadId } = startAnother()
  const early = Array.from({ length: defaultShards() }, () => take().threadId)
  expect(new Set(early).size).toBe(early.length)
  expect(Math.max(...early)).toBeLessThan(threadId)
  expect(take().threadId).toBeGreaterThan(threadId)
})

test('one that could not load its program, or that nobody wanted, is not taken', async () => {
  const failing: Promise<unknown>[] = []
  const note = (worker: Worker) => failing.push(new Promise((resolve) => worker.once('exit', resolve)))
  process.on('worker', note)
  startThreads(FAILS)
  // The system reports new threads a tick later.
  await setImmediate()
  process.off('worker', note)
  const later = startAnother()
  await Promise.all(failing)
  expect(failing).toHaveLength(defaultShards())
  expect(take().threadId).toBeGreaterThan(later.threadId)

  startThreads(WAITS)
  const { threadId } = startAnother()
  endWaitingThreads()
  expect(take().threadId).toBeGreaterThan(threadId)
})
