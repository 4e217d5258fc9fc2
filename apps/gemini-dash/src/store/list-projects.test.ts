import { expect, test } from 'vitest'
import { summaryFixture } from '../../test/record-fixture.ts'
import { ProjectSums } from './projects.ts'

const identity = (key: string) => ({
  ...{ key, name: key, nameSource: 'path' as const, path: `/home/mia/code/${key}` },
  ...{ pathSource: 'marker' as const, candidates: [], folders: [], projectHash: null, hashes: [] },
})
const IDENTITIES = [identity('webshop'), identity('api')]
const row = (key: string, project: string, endTime: string, input: number) =>
  summaryFixture({
    ...{ key, endTime, project: { key: project, name: project, path: null } },
    usage: { ...summaryFixture().usage, input } as NonNullable<ReturnType<typeof summaryFixture>['usage']>,
  })
const A = row('a', 'webshop', '2026-11-20T11:00:00.000Z', 1)
const B = row('b', 'webshop', '2026-11-21T11:00:00.000Z', 10)
const C = row('c', 'api', '2026-11-22T11:00:00.000Z', 100)
const HISTORY = [
  [A, B, C],
  // one has grown, one is gone, one has moved, all are gone
  [A, row('b', 'webshop', '2026-11-23T11:00:00.000Z', 20), C],
  [A, C],
  [row('a', 'api', '2026-11-20T11:00:00.000Z', 1), C],
  [],
]

test('sums that are remembered are those of the rows as they are now', () => {
  const remembering = new ProjectSums()
  const listed = HISTORY.map((rows) => remembering.list(IDENTITIES, rows, () => false))
  expect(listed).toEqual(HISTORY.map((rows) => new ProjectSums().list(IDENTITIES, rows, () => false)))
  expect(
    listed.map(({ projects }) => projects.map(({ key, sessions, usage }) => [key, sessions, usage?.input])),
  ).toEqual([
    [
      ['api', 1, 100],
      ['webshop', 2, 11],
    ],
    [
      ['webshop', 2, 21],
      ['api', 1, 100],
    ],
    [
      ['api', 1, 100],
      ['webshop', 1, 1],
    ],
    [
      ['api', 2, 101],
      ['webshop', 0, 0],
    ],
    [
      ['api', 0, 0],
      ['webshop', 0, 0],
    ],
  ])
})
