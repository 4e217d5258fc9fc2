import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEntry, type LogEntry, place } from './row.ts'

const entries = fc.array(fc.string({ minLength: 1 }), { maxLength: 12 }).map((ids) => ids.map(toEntry))

it('keeps the order of live messages and puts each other one after the message recorded before it', () => {
  fc.assert(
    fc.property(entries, fc.infiniteStream(fc.boolean()), fc.boolean(), (recorded, coins, isReversed) => {
      const live = recorded.filter(() => coins.next().value)
      if (isReversed) live.reverse()
      const placed = place(recorded, live)
      expect(placed.filter((entry) => live.includes(entry))).toEqual(live)
      expect(placed).toHaveLength(recorded.length)
      recorded.forEach((entry, index) => {
        if (live.includes(entry)) return
        const before = index === 0 ? undefined : recorded[index - 1]
        expect(placed[placed.indexOf(entry) - 1]).toBe(before)
      })
    }),
  )
})

function toEntry(id: string): LogEntry {
  return createEntry({ id }, false, { line: 1 })
}
