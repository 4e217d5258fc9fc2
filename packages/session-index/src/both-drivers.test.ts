import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answered, Asked } from '../test/answer-requests.ts'
import { buildTestPrograms, type TestPrograms } from '../test/build-test-programs.ts'
import { FIXTURE_HOMES } from '../test/fixture-groups.ts'
import { findNewerNode } from '../test/newer-node.ts'
import { searchRequest } from '../test/search-request.ts'
import type { IndexCounts } from './contract.ts'

const POSITION = {
  ...{ score: 0, timeMs: Date.parse('2026-01-01'), sessionKey: '', place: 0, group: 0 },
  field: 'title' as const,
}

/** One request of each type; `nothing` has no hits. */
const REQUESTS = {
  word: searchRequest('replacements'),
  words: searchRequest('the file'),
  phrase: searchRequest('"the file"'),
  prefix: searchRequest('repl*'),
  either: searchRequest('replacements OR directory'),
  without: searchRequest('the -file'),
  identifier: searchRequest('package.json'),
  cjk: searchRequest('好'),
  accent: searchRequest('grusse'),
  field: searchRequest('file in:tool-output'),
  tool: searchRequest('', { tree: { kind: 'tools', names: ['read_file'] } }),
  status: searchRequest('status:success'),
  file: searchRequest('file:*.js'),
  error: searchRequest('is:error'),
  superseded: searchRequest('is:superseded'),
  thoughts: searchRequest('has:thoughts'),
  tokens: searchRequest('tokens:>100'),
  cost: searchRequest('cost:>0.00001'),
  time: searchRequest('before:2030-01-01 after:2020-01-01'),
  ranked: searchRequest('file', { sort: 'relevance' }),
  page: searchRequest('file', { limit: 3, after: POSITION }),
  facets: searchRequest('file', { countsCalls: true, alsoCount: [null, searchRequest('the').tree] }),
  substring: searchRequest('eplacement', { mode: 'substring' }),
  pattern: searchRequest('replace[a-z]+s', { mode: 'regex' }),
  nothing: searchRequest('zyzzyva'),
}
const WORDS = ['replacments', 'directry']
const EVERYTHING = ''
const newer = findNewerNode()

let programs: TestPrograms
let folder: string
beforeAll(async () => {
  programs = await buildTestPrograms('both-drivers')
  folder = mkdtempSync(join(tmpdir(), 'both-drivers-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf('missing' in newer)(`both drivers${'missing' in newer ? ` (${newer.missing})` : ''}`, () => {
  const wasm = process.execPath
  const own = 'executable' in newer ? newer.executable : ''

  let byWasm: Answered
  beforeAll(() => {
    byWasm = ask(wasm, 'built-by-wasm', EVERYTHING)
    for (const copy of ['handed-over', 'kept'])
      cpSync(join(folder, 'built-by-wasm'), join(folder, copy), { recursive: true })
  }, 240_000)

  it('build an index that answers the same', { timeout: 240_000 }, () => {
    const byOwn = ask(own, 'built-by-own', EVERYTHING)
    expect(byOwn.driver).toBe('node:sqlite')
    expect([byWasm.problem, byOwn.problem]).toEqual([null, null])
    expect(foundNothing(byWasm)).toEqual(['nothing'])
    expect(byWasm.closest.every(([, near]) => near.length > 0)).toBe(true)
    expect(answers(byOwn)).toEqual(answers(byWasm))
  })

  it('take over the index of the other, and each other’s changes', { timeout: 240_000 }, () => {
    const changedByWasm = ask(wasm, 'kept', '.jsonl')
    const taken = ask(own, 'handed-over', null)
    expect([taken.driver, taken.known]).toEqual(['node:sqlite', byWasm.loaded.length])
    expect(answers(taken)).toEqual(answers(byWasm))
    const changed = ask(own, 'handed-over', '.jsonl')
    expect(answers(changed)).toEqual(answers(changedByWasm))
    const back = ask(wasm, 'handed-over', null)
    expect(back.known).toBe(byWasm.loaded.length)
    expect(answers(back)).toEqual(answers(changedByWasm))
    expect([taken.problem, changed.problem, back.problem]).toEqual([null, null, null])
  })
})

function ask(node: string, cache: string, indexed: string | null): Answered {
  const asked: Asked = {
    directory: join(folder, cache),
    homes: FIXTURE_HOMES,
    indexed,
    requests: Object.values(REQUESTS),
    words: WORDS,
  }
  const { status, stdout, stderr } = spawnSync(node, [programs.answerRequests], {
    input: JSON.stringify(asked),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return JSON.parse(stdout)
}

/** By name, so that unordered lists can be compared. */
function answers({ results, closest, loaded }: Answered) {
  const found = Object.keys(REQUESTS).map((name, at) => {
    const result = results[at]
    return [name, result && { ...result, ...sorted(result), alsoCounted: result.alsoCounted.map(sorted) }]
  })
  return { found: Object.fromEntries(found), closest, loaded }
}

function sorted(counts: IndexCounts): IndexCounts {
  const { sessionHits, quarterHourCounts, toolCounts, statusCounts } = counts
  return {
    ...counts,
    sessionHits: sessionHits.toSorted(byName),
    quarterHourCounts: quarterHourCounts.toSorted(byName),
    toolCounts: toolCounts.toSorted(byName),
    statusCounts: statusCounts.toSorted(byName),
  }
}

function byName([a]: [string | number, number], [b]: [string | number, number]): number {
  return a < b ? -1 : 1
}

function foundNothing({ results }: Answered): string[] {
  return Object.keys(REQUESTS).filter((_, at) => results[at]?.total === 0)
}
