import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { claimFolder } from '@gemini-dash/session-index'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { indexesIn, removeIndexes, sizeOfIndex } from './cache.ts'

const [OWN, OTHER] = ['index-0123456789abcdef', 'index-fedcba9876543210']
const UUID = '01234567-89ab-4cde-8f01-23456789abcd'
const OURS = [
  'shard-0-of-2.db',
  'shard-0-of-2.db.sum',
  'shard-1-of-2.db-journal',
  'shard-1-of-2.db.lock/owner',
  'rows.jsonl',
  `rows.jsonl.${UUID}`,
]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-cache-'))
  for (const name of OURS) write(OWN, name)
  for (const name of OURS) write(OTHER, name)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(...names: string[]): void {
  const path = join(folder, ...names)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '12345678')
}

test('an index of other homes goes with all that we named, and tells its size; the own one stays', () => {
  expect(indexesIn(folder).sort()).toEqual([OWN, OTHER].sort())
  const sizeBytes = sizeOfIndex(join(folder, OTHER))
  expect(sizeBytes).toBe(8 * OURS.length)
  expect(removeIndexes(folder, OWN)).toEqual({ count: 1, inUse: 0, freedBytes: sizeBytes, left: [] })
  expect(readdirSync(folder)).toEqual([OWN])
})

test('files that are none of ours stay, wherever they lie, and are told', () => {
  const foreign = [
    'notes.txt',
    'mine/photo.jpg',
    'mine/shard-0-of-2.db',
    'shard-0-of-2.db.backup',
    'shard-9-of-9.db/diary',
  ]
  for (const name of foreign) write(OTHER, name)
  write('index-of-my-books', 'rows.jsonl')
  write('rows.jsonl')
  const { left } = removeIndexes(folder, OWN)
  expect(left.sort()).toEqual(
    [...foreign, 'mine', 'shard-9-of-9.db'].map((name) => join(folder, OTHER, name)).sort(),
  )
  for (const name of foreign) expect(existsSync(join(folder, OTHER, name))).toBe(true)
  expect(existsSync(join(folder, OTHER, 'rows.jsonl'))).toBe(false)
  expect(existsSync(join(folder, 'index-of-my-books', 'rows.jsonl'))).toBe(true)
  expect(existsSync(join(folder, 'rows.jsonl'))).toBe(true)
})

test('a link goes, and never what it leads to', () => {
  write('elsewhere', 'shard-0-of-2.db')
  rmSync(join(folder, OTHER, 'rows.jsonl'))
  symlinkSync(join(folder, 'elsewhere', 'shard-0-of-2.db'), join(folder, OTHER, 'rows.jsonl'))
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'index-1111111111111111'))
  removeIndexes(folder, OWN)
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['shard-0-of-2.db'])
  expect(existsSync(join(folder, OTHER))).toBe(false)
})

test('what another process uses stays whole', () => {
  const claimed = claimFolder(join(folder, OTHER), () => {})
  expect(removeIndexes(folder, OWN)).toEqual({ count: 0, inUse: 1, freedBytes: 0, left: [] })
  expect(existsSync(join(folder, OTHER, 'rows.jsonl'))).toBe(true)
  if (claimed.kind === 'owned') claimed.release()
})

test('a lock that another process takes and gives back while sizes are counted is no failure', async () => {
  const lock = join(folder, OTHER, 'shard-0-of-2.db.lock')
  const script = `
    const { mkdirSync, rmdirSync } = require('node:fs')
    const { workerData } = require('node:worker_threads')
    for (let i = 0; i < 2000; i += 1) {
      mkdirSync(workerData)
      rmdirSync(workerData)
    }`
  const worker = new Worker(script, { eval: true, workerData: lock })
  let isOver = false
  const end = once(worker, 'exit').then(() => {
    isOver = true
  })
  const sizes = new Set<number>()
  try {
    while (!isOver) {
      for (let i = 0; i < 50; i += 1) sizes.add(sizeOfIndex(join(folder, OTHER)))
      await setImmediate()
    }
  } finally {
    await end
  }
  expect([...sizes]).toEqual([8 * OURS.length])
})
