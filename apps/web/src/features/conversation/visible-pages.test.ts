import { expect, test } from 'vitest'
import { visiblePages } from './conversation-feed.tsx'
import type { Row } from './row.ts'

const unloaded = Array.from(
  { length: 200 },
  (_, page): Row => ({
    kind: 'unloaded',
    key: `page-${page}`,
    at: page * 100,
    offset: page * 100,
    count: 100,
    lines: 300,
  }),
)

test('of pages that are not loaded one is fetched ahead and one beside, not one for every row', () => {
  expect(visiblePages(unloaded, { startIndex: 90, endIndex: 90 }, null)).toEqual([90, 89, 91])
  expect(visiblePages(unloaded, { startIndex: 0, endIndex: 1 }, 'forward')).toEqual([0, 1, 2])
  expect(visiblePages(unloaded, { startIndex: 199, endIndex: 199 }, 'backward')).toEqual([199, 198])
})
