import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GrowingSessionGroup, readSessionGroup } from 'gemini-sessions/node'
import { afterAll, expect, it } from 'vitest'
import { writeLongSession } from '../../../../fixtures/large/write-long-session.ts'
import { fixtureGroups } from '../../test/fixture-groups.ts'
import { makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'
import type { IndexGroup } from '../contract.ts'
import type { Shard, ShardOptions } from './shard.ts'

const folder = mkdtempSync(join(tmpdir(), 'large-groups-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const openLarge = async () => new GrowingSessionGroup({ putsTextsAside: true })
const READING: Partial<ShardOptions> = { readGroup: ({ files }) => readSessionGroup(files), largeBytes: 0 }

it('what is read without its large texts is indexed as what is held', async () => {
  const held = makeShard(new Map(), READING)
  const large = makeShard(new Map(), { ...READING, openLarge })
  for (const group of await fixtureGroups()) expect(await large.index(group)).toEqual(await held.index(group))
  for (const query of ['the', 'file', 'error', 'import', 'is:error', 'status:success', 'file:*.js'])
    expect(await totalOf(large, query)).toEqual(await totalOf(held, query))
})

it('changes nothing where a text is gone once many are written, and reads the whole again', async () => {
  writeLongSession(join(folder, 'home'), { bytes: 24_000_000, seed: 5, isLog: true })
  const path = (await groupIn(folder)).files[0]?.absolutePath ?? ''
  const whole = readFileSync(path)
  truncateSync(path, whole.indexOf('\n', 20_000) + 1)
  let isRefused = false
  const shard = makeShard(new Map(), {
    readGroup: ({ files }) => {
      if (isRefused) throw new Error('The disk is on fire.')
      return readSessionGroup(files)
    },
    largeBytes: 0,
    openLarge: async () => {
      const reading = await openLarge()
      let asked = 0
      return {
        read: (files) => reading.read(files),
        restore: (messages) => {
          asked += 1
          if (asked === LATE) truncateSync(path, 60_000)
          return reading.restore(messages)
        },
      }
    },
  })
  await shard.index(await groupIn(folder))
  const before = await totalOf(shard, 'the')

  appendFileSync(path, `${JSON.stringify({ ...NEW_PROMPT, content: [{ text: NEW_WORD }] })}\n`)
  appendFileSync(path, whole.subarray(whole.indexOf('\n', 20_000) + 1))
  const grown = await groupIn(folder)
  isRefused = true
  expect(await shard.index(grown)).toMatchObject({ sessions: [], failure: 'The disk is on fire.' })
  expect(await totalOf(shard, 'the')).toBe(before)
  expect(shard.closestWords([NEARLY_IT])).toEqual([[]])

  isRefused = false
  const again = await groupIn(folder)
  const known = makeShard(new Map(), READING)
  expect(await shard.index(again)).toEqual(await known.index(again))
  expect(await totalOf(shard, 'the')).toBe(await totalOf(known, 'the'))
  expect(shard.closestWords([NEARLY_IT])).toMatchObject([[{ word: NEW_WORD }]])
})

/** This many batches of messages have more words than may wait to be written. */
const LATE = 22
const NEW_WORD = 'zyzzyvaneedle'
const NEARLY_IT = 'zyzzyvaneedla'
const NEW_PROMPT = { id: 'new', timestamp: '2025-09-01T00:00:01.000Z', type: 'user' }

async function groupIn(homes: string): Promise<IndexGroup> {
  const [group] = await fixtureGroups(homes)
  if (group === undefined) throw new Error('No session file was found.')
  return group
}

async function totalOf(shard: Shard, query: string): Promise<number> {
  return (await shard.find(searchRequest(query))).total
}
