import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BestRows } from './best-rows.ts'
import { compareHits } from './compare-hits.ts'

it('keeps the rows that sorting all of them would put first', () => {
  const row = fc.record({
    sessionKey: fc.constantFrom('a', 'b'),
    groupId: fc.constantFrom('a', 'b'),
    timeMs: fc.nat(3),
    place: fc.nat(1_000),
    score: fc.constantFrom(0, 0.5, 2),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 600 }), fc.nat(20), (rows, wanted) => {
      const best = new BestRows(
        wanted,
        (index) => rows[index] ?? { sessionKey: '', groupId: '', timeMs: 0, place: 0, score: 0 },
      )
      rows.forEach(({ score, timeMs }, index) => {
        best.offer(index, score, timeMs)
      })
      const inOrder = best.inOrder().map(({ row: _, ...ranked }) => ranked)
      expect(inOrder).toEqual([...rows].sort(compareHits).slice(0, wanted))
    }),
  )
})
