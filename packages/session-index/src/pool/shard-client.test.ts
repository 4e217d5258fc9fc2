import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeGroup } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'
import { ShardClient } from './shard-client.ts'

const MORTAL = new URL('../../test/mortal-index.mjs', import.meta.url)
const WAIT = { interval: 20 }

let client: ShardClient
let lost: string[]
let downs: (string | null)[]
beforeEach(async () => {
  lost = []
  downs = []
  client = newClient(4_000)
  await client.whenReady()
  await client.update([makeGroup('a'), makeGroup('b')], () => {})
})
afterEach(() => client.close())

function newClient(longestAnswerMs: number): ShardClient {
  return new ShardClient({
    path: null,
    folderId: '',
    driver: 'auto',
    workerUrl: MORTAL,
    workerExecArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    silenceMs: 600,
    longestAnswerMs,
    onProblem: () => {},
    onDown: (reason) => downs.push(reason),
    onLost: (groupIds) => lost.push(...groupIds),
    onUnread: () => {},
  })
}

const find = (way: string) => client.find({ ...searchRequest('x'), pattern: way }, () => {}, undefined)

describe('R56, A4: a thread of the index', () => {
  it.each([
    ['throws', 'thrown under a question'],
    ['exits', 'it ended unexpectedly'],
    ['hangs', 'it stopped responding'],
    ['never answers', 'gave no answer'],
    ['runs out of memory', 'memory limit'],
    ['answers what cannot be read', 'could not be understood'],
  ])('that %s under a question is replaced, and the question is told why', async (way, reason) => {
    await expect(find(way)).rejects.toThrow(reason)
    expect(await find('well')).toBe('found by a thread')
    expect(client.isUp).toBe(true)
    expect(lost).toEqual(['a', 'b'])
    expect([...client.held.keys()]).toEqual([])
  })

  // other systems report the CPU time of the whole process only
  it.skipIf(process.platform !== 'linux')('that is silent without working is slow, not dead', async () => {
    expect(await find('waits')).toBe('found by a thread')
    expect(lost).toEqual([])
    expect(downs.filter((reason) => reason !== null)).toEqual([])
  })

  it('that waits for something that never comes is replaced', async () => {
    await client.close()
    client = newClient(60_000)
    await client.whenReady()
    await expect(find('waits forever')).rejects.toThrow('it stopped responding')
  })

  it.each(['throws at rest', 'exits at rest'])('that %s is replaced before anybody asks', async (way) => {
    expect(await find(way)).toBe('found by a thread')
    await expect.poll(() => !client.isUp || lost.length > 0, WAIT).toBe(true)
    expect(lost).toEqual(['a', 'b'])
    await expect.poll(() => client.isUp, WAIT).toBe(true)
    expect(await find('well')).toBe('found by a thread')
    await client.update([makeGroup('a')], () => {})
    expect([...client.held]).toEqual([['a', '1']])
  })

  it('is asked again what was under way beside the question that ended it', async () => {
    const both = await Promise.allSettled([find('throws'), client.call('touchedPaths', 'x')])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  it('is not asked what cannot be sent, and that question is told', async () => {
    const unsendable = { ...searchRequest('x'), pattern: (() => {}) as unknown as string }
    await expect(client.find(unsendable, () => {}, undefined)).rejects.toThrow('could not be cloned')
    expect(await find('well')).toBe('found by a thread')
  })
})
