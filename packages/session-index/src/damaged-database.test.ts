import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestPrograms, type TestPrograms } from '../test/build-test-programs.ts'
import { fixtureGroups } from '../test/fixture-groups.ts'
import { searchRequest } from '../test/search-request.ts'
import type { IndexGroup } from './contract.ts'
import type { SessionIndex } from './open-session-index.ts'
import { openSessionIndex } from './open-session-index.ts'

let programs: TestPrograms
let folder: string
let groups: IndexGroup[]
let expected: Awaited<ReturnType<typeof answers>>
let fresh: string
const shards = ['shard-0-of-2.db', 'shard-1-of-2.db']

beforeAll(async () => {
  programs = await buildTestPrograms('damaged-database')
  folder = mkdtempSync(join(tmpdir(), 'damaged-database-'))
  fresh = join(folder, 'fresh')
  groups = (await fixtureGroups()).slice(0, 6)
  const index = await open(fresh)
  await index.update(groups, () => {})
  expected = await answers(index)
  await index.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = (directory: string) =>
  openSessionIndex({ directory, workerUrl: programs.worker, shards: 2, driver: 'node-sqlite3-wasm' })

async function answers(index: SessionIndex) {
  const requests = [
    searchRequest('the', { limit: 200 }),
    searchRequest('round', { mode: 'substring', limit: 200 }),
    searchRequest('re[a-z]+d', { mode: 'regex', limit: 200 }),
  ]
  const found = []
  for (const request of requests) found.push(await index.search(request))
  const loaded = (await index.load()).groups.sort((a, b) => (a.id < b.id ? -1 : 1))
  const closest = [...(await index.closestWords(['roundng', 'pric']))]
  return { found, loaded, closest, paths: await index.touchedPaths('s') }
}

/** Opens the damaged index, indexes what is missing, and returns how much that was. */
async function openDamaged(damage: (cache: string) => void) {
  const cache = mkdtempSync(join(folder, 'run-'))
  cpSync(fresh, cache, { recursive: true })
  damage(cache)
  const index = await open(cache)
  const held = index.fingerprints()
  await index.update(
    groups.filter(({ id }) => !held.has(id)),
    () => {},
  )
  const answered = await answers(index)
  const problem = index.problem()
  await index.close()
  return { answered, lacked: groups.length - held.size, problem }
}

describe('A5: a database that is not as it was written', () => {
  it('is taken as it is where nothing happened to it', async () => {
    expect(await openDamaged(() => {})).toEqual({ answered: expected, lacked: 0, problem: null })
  })

  it.each<[string, (cache: string) => void]>([
    ['is another shard', (cache) => copyFileSync(join(cache, shards[1] ?? ''), join(cache, shards[0] ?? ''))],
    [
      'is another shard with what belongs to it',
      (cache) => {
        for (const end of ['', '.sum'])
          copyFileSync(join(cache, `${shards[1]}${end}`), join(cache, `${shards[0]}${end}`))
      },
    ],
    [
      'has one bit that turned over',
      (cache) => {
        const bytes = readFileSync(join(cache, shards[0] ?? ''))
        const at = bytes.length >> 1
        bytes[at] = (bytes[at] ?? 0) ^ 1
        writeFileSync(join(cache, shards[0] ?? ''), bytes)
      },
    ],
    [
      'is cut off',
      (cache) => {
        const path = join(cache, shards[0] ?? '')
        truncateSync(path, statSync(path).size >> 1)
      },
    ],
    [
      'holds zeros',
      (cache) => {
        const bytes = readFileSync(join(cache, shards[0] ?? ''))
        const at = bytes.length >> 1
        writeFileSync(join(cache, shards[0] ?? ''), bytes.fill(0, at, at + 8_192))
      },
    ],
    ['has lost its sum', (cache) => rmSync(join(cache, `${shards[0]}.sum`))],
  ])('is built anew, quietly, where it %s', async (_, damage) => {
    const { answered, lacked, problem } = await openDamaged(damage)
    expect(answered).toEqual(expected)
    expect(problem).toBeNull()
    expect(lacked).toBeGreaterThan(0)
  })
})
