import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BestHits, compareHits } from './hits.ts'

it('keeps the hits behind a position that sorting all of them would put first', () => {
  const hit = fc.record({
    sessionKey: fc.constantFrom('a', 'b'),
    group: fc.nat(1),
    timeMs: fc.nat(3),
    place: fc.nat(1_000),
    score: fc.constantFrom(0, 65, 130),
    field: fc.constantFrom('title' as const, 'answer' as const),
  })
  fc.assert(
    fc.property(
      fc.array(hit, { maxLength: 600 }),
      fc.nat(20),
      fc.option(hit, { nil: undefined }),
      (hits, wanted, after) => {
        const best = new BestHits(wanted, after)
        for (const one of hits) best.offer(one.score, one.timeMs, () => one)
        const behind = hits.filter((one) => after === undefined || compareHits(one, after) > 0)
        expect(best.inOrder()).toEqual(behind.sort(compareHits).slice(0, wanted))
      },
    ),
  )
})
