import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeMessage, makeSession, text } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'
import { openDatabase } from '../driver.ts'
import { fileIdOf, verifiesDatabase, writeDatabaseSum } from './database-sum.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'database-sum-'))
  path = join(folder, 'shard.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Groups with these words, one after the other, in a shard on disk. */
async function writeShard(onProblem: (problem: string | null) => void, ...words: string[]) {
  const sessions = new Map(
    words.map((word) => [word, [makeSession(word, [makeMessage({ key: 'm', content: text(word) })])]]),
  )
  const shard = makeShard(sessions, { path, folderId: 'folder', onProblem })
  for (const word of words) {
    await shard.index(makeGroup(word))
    await shard.commit()
  }
  return shard
}

const unexpected = (problem: string | null) => {
  throw new Error(String(problem))
}

describe('A5: the sum of a database', () => {
  it('holds after each commit, and for this file in this folder only', async () => {
    const shard = await writeShard(unexpected, 'apple', 'berry')
    expect(verifiesDatabase(path, 'folder')).toBe(true)
    await shard.remove(['apple'])
    await shard.close()
    expect(verifiesDatabase(path, 'folder')).toBe(true)
    expect(verifiesDatabase(path, 'another')).toBe(false)
    writeFileSync(join(folder, 'other.db'), readFileSync(path))
    writeFileSync(join(folder, 'other.db.sum'), readFileSync(`${path}.sum`))
    expect(verifiesDatabase(join(folder, 'other.db'), 'folder')).toBe(false)
  })

  it('tells of each of 300 bits that turned over', async () => {
    await (await writeShard(unexpected, 'apple', 'berry', 'cherry')).close()
    const whole = readFileSync(path)
    const unnoticed: number[] = []
    for (let n = 0; n < 300; n++) {
      const bit = (n * 2_654_435_761) % (whole.length * 8)
      const bytes = Buffer.from(whole)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      writeFileSync(path, bytes)
      if (verifiesDatabase(path, 'folder')) unnoticed.push(bit)
    }
    expect(unnoticed).toEqual([])
  })

  it('does not save a row that is not what we write: the database is built anew', async () => {
    await (await writeShard(unexpected, 'apple', 'berry')).close()
    const database = openDatabase(path, 'node-sqlite3-wasm')
    database.exec("UPDATE session SET record = '{' WHERE key = 'apple'")
    database.close()
    const sealed = { folderId: 'folder', fileId: fileIdOf(path), pause: async () => {} }
    await writeDatabaseSum(path, sealed)
    const lost: string[] = []
    const shard = makeShard(new Map(), { path, folderId: 'folder', onLost: (ids) => lost.push(...ids) })
    expect(shard.store.held()).toHaveLength(2)
    const request = searchRequest('apple')
    const found = await shard.find(request)
    expect(found.total).toBeGreaterThan(0)
    await shard.describe(request, found.best)
    expect((await shard.find(request)).total).toBe(0)
    expect(lost).toEqual(['apple', 'berry'])
    expect([shard.store.held(), shard.isInMemory]).toEqual([[], false])
    await shard.close()
  })

  it('is not written of a file that came into the place of the one that is open, which is told', async () => {
    const problems: (string | null)[] = []
    const shard = await writeShard((problem) => problems.push(problem), 'apple', 'berry')
    rmSync(path)
    writeFileSync(path, 'somebody else wrote this')
    await shard.remove(['apple'])
    await shard.commit()
    expect(problems).toEqual([expect.stringContaining('was taken away or replaced')])
    expect(verifiesDatabase(path, 'folder')).toBe(false)
    expect(shard.store.held()).toEqual([['berry', '1']])
    await shard.close()
  })
})
