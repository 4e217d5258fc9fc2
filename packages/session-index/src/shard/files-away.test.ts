import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSessionGroup } from 'gemini-sessions/node'
import { afterAll, expect, it } from 'vitest'
import { FIXTURE_HOMES, fixtureGroups } from '../../test/fixture-groups.ts'
import { makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'

const folder = mkdtempSync(join(tmpdir(), 'files-away-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a home that was away while it was read, and came back as it was, is read again and found in', async () => {
  const home = join(folder, 'homes/home')
  cpSync(join(FIXTURE_HOMES, '0.61.0'), home, { recursive: true })
  const groups = await fixtureGroups(join(folder, 'homes'))
  const told = new Set<string>()
  const shard = makeShard(new Map(), {
    readGroup: ({ files }) => readSessionGroup(files),
    onUnread: (groupId) => told.add(groupId),
  })
  const readAll = async () => {
    const read = []
    for (const group of groups) read.push(await shard.index(group))
    return read
  }
  const away = async <Answer>(ask: () => Promise<Answer>) => {
    renameSync(home, `${folder}/away`)
    const answer = await ask()
    renameSync(`${folder}/away`, home)
    return answer
  }
  const find = async () => (await shard.find(searchRequest('the', { mode: 'substring' }))).total

  const missed = await away(readAll)
  expect(missed.map(({ unread }) => unread?.map(({ code }) => code))).toEqual(groups.map(() => ['ENOENT']))
  const fingerprints = new Set(groups.map(({ fingerprint }) => fingerprint))
  expect(shard.store.held().filter(([, fingerprint]) => fingerprints.has(fingerprint))).toEqual([])
  const read = await readAll()
  expect(read.filter(({ sessions, unread }) => sessions.length === 0 || unread !== undefined)).toEqual([])

  const found = await away(find)
  expect(told.size).toBeGreaterThan(0)
  expect(await find()).toBeGreaterThan(found)
})
