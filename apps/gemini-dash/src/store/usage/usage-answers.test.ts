import fc from 'fast-check'
import { expect, it } from 'vitest'
import { recordFixture } from '../../../test/record-fixture.ts'
import { Rows } from '../sync/rows.ts'
import { reportUsage, toUsageSources, UsageAnswers } from './usage-source.ts'

const USAGE = {
  input: 0,
  output: 0,
  cached: 0,
  thoughts: 0,
  tool: 0,
  total: 0,
  calls: 1,
  callsWithoutTokens: 0,
}

function record(key: string, total: number) {
  const bucket = {
    quarterHour: '2026-11-20T10:15:00.000Z',
    model: 'gemini-2.5-pro',
    usage: { ...USAGE, input: total, total },
    cost: { usd: null, unpricedCalls: 1 },
  }
  return recordFixture({ key, sessionId: key }, { buckets: [bucket] })
}

const changeArbitrary = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  total: fc.option(fc.nat(1_000), { nil: null }),
  by: fc.constantFrom('day', 'model', 'session', 'hour-of-week'),
})

it('is what adding up everything again would give, whatever changed in between', () => {
  fc.assert(
    fc.property(fc.array(changeArbitrary, { maxLength: 12 }), (changes) => {
      const rows = new Rows()
      const report = (query: Parameters<typeof reportUsage>[1]) => {
        return reportUsage(toUsageSources([...rows.sessions().values()]), query, null)
      }
      const answers = new UsageAnswers(rows, report)
      for (const { id, total, by } of changes) {
        if (total === null) rows.remove(id)
        else rows.put({ id, fingerprint: 'f', files: [] }, [record(id, total)])
        for (const tz of ['UTC', 'Asia/Tokyo', 'UTC']) {
          expect(answers.answer({ by, tz })).toEqual(report({ by, tz }))
        }
      }
    }),
  )
})

it('adds up once for equal questions, and again when a project has another name', () => {
  const rows = new Rows()
  const setProject = (name: string) =>
    rows.setProjects([
      {
        key: 'p',
        name,
        nameSource: 'folder',
        path: null,
        pathSource: 'none',
        candidates: [],
        folders: ['/home/.gemini/tmp/shop'],
        projectHash: null,
        hashes: [],
      },
    ])
  setProject('shop')
  let reports = 0
  const answers = new UsageAnswers(rows, (query) => {
    reports += 1
    return reportUsage([], query, null)
  })
  answers.answer({ by: 'project' })
  answers.answer({ by: 'project' })
  // the next scan finds it unchanged
  setProject('shop')
  answers.answer({ by: 'project' })
  expect(reports).toBe(1)
  setProject('webshop')
  answers.answer({ by: 'project' })
  expect(reports).toBe(2)
})
