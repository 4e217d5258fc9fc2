import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSessionIndex, type SessionIndex } from '@gemini-dash/session-index'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { IndexRest } from '../src/store/index-rest.ts'
import { workerUrl } from './open-test-server.ts'

let folder: string
let index: SessionIndex

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-dash-rest-'))
  index = await openSessionIndex({
    directory: join(folder, 'cache'),
    workerUrl: workerUrl('index-worker.js'),
    shards: 1,
  })
})
afterEach(async () => {
  await index.close()
  await rm(folder, { recursive: true })
})

it('ends the threads of an index that nobody asks, once', async () => {
  const rest = new IndexRest(() => Promise.resolve(index))
  expect(await rest.look(60_000)).toBe(false)
  expect(await rest.look(0)).toBe(true)
  expect(await rest.look(0)).toBe(false)
})

it('leaves them alone while a page is open, and wakes them for the first page', async () => {
  const rest = new IndexRest(() => Promise.resolve(index))
  rest.setOpenPages(1)
  expect(await rest.look(0)).toBe(false)
  rest.setOpenPages(0)
  expect(await rest.look(0)).toBe(true)
  rest.setOpenPages(1)
  rest.setOpenPages(0)
  await expect.poll(() => rest.look(0)).toBe(true)
})

it('opens no index to have it rest', async () => {
  expect(await new IndexRest(() => null).look(0)).toBe(false)
})
