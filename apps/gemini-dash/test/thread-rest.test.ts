import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSessionIndex, type SessionIndex } from '@gemini-dash/session-index'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ReaderClient } from '../src/store/reader/reader-client.ts'
import { ThreadRest } from '../src/store/thread-rest.ts'
import { workerUrl } from './open-test-server.ts'

let folder: string
let index: SessionIndex
let reader: ReaderClient

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemini-dash-rest-'))
  index = await openSessionIndex({
    directory: join(folder, 'cache'),
    workerUrl: workerUrl('index-worker.js'),
    shards: 1,
  })
  reader = new ReaderClient(workerUrl('reader-worker.js'))
})
afterEach(async () => {
  await Promise.all([index.close(), reader.close()])
  await rm(folder, { recursive: true })
})

it('ends the threads of an index that nobody asks, once', async () => {
  const rest = new ThreadRest(() => Promise.resolve(index), reader)
  expect(await rest.look(60_000)).toBe(false)
  expect(await rest.look(0)).toBe(true)
  expect(await rest.look(0)).toBe(false)
})

it('leaves them alone while a page is open, and wakes them for the first page', async () => {
  const rest = new ThreadRest(() => Promise.resolve(index), reader)
  expect(await rest.setOpenPages(1)).toBe(false)
  expect(await rest.look(0)).toBe(false)
  await rest.setOpenPages(0)
  expect(await rest.look(0)).toBe(true)
  expect(await rest.setOpenPages(1)).toBe(true)
  expect(await rest.setOpenPages(2)).toBe(false)
  await rest.setOpenPages(0)
  await expect.poll(() => rest.look(0)).toBe(true)
})

it('opens no index to have it rest', async () => {
  expect(await new ThreadRest(() => null, reader).look(0)).toBe(false)
})

it('ends the threads that read sessions, and another one answers what is asked meanwhile', async () => {
  const nothing = {
    source: { id: 'n', fingerprint: '1', files: [] },
    ownKey: 'none',
    shownKey: 'none',
    subagents: [],
    root: null,
    isAgent: false,
    asked: {},
  }
  expect(await reader.ask('reasoning', nothing)).toBeNull()
  expect(await reader.rest(60_000)).toBe(false)
  const resting = reader.rest(0)
  expect(await reader.ask('reasoning', nothing)).toBeNull()
  expect(await resting).toBe(true)
  const rest = new ThreadRest(() => null, reader)
  expect(await rest.look(0)).toBe(true)
  expect(await rest.look(0)).toBe(false)
})
