import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LiveList } from './replay.ts'
import { createEntry, type LogEntry } from './row.ts'

const step = fc.tuple(fc.constantFrom('set', 'cut'), fc.constantFrom('a', 'b', 'c', 'd', 'e'))

it('holds what a plain list would, and remembers every earlier state', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const list = new LiveList()
      let plain: string[] = []
      const states: [() => LogEntry[], string[]][] = []
      for (const [kind, id] of steps) {
        states.push([list.remember(), plain])
        if (kind === 'set') {
          list.set(entryOf(id))
          if (!plain.includes(id)) plain = [...plain, id]
        } else {
          const from = Math.max(0, plain.indexOf(id))
          expect(list.cutFrom(id).map((entry) => entry.id)).toEqual(plain.slice(from))
          plain = plain.slice(0, from)
        }
        expect(list.values().map((entry) => entry.id)).toEqual(plain)
      }
      for (const [state, ids] of states) expect(state().map((entry) => entry.id)).toEqual(ids)
    }),
  )
})

it('knows whether anybody said anything, also when a message turns into a notice', () => {
  const list = new LiveList([entryOf('notice', 'info')])
  expect(list.isConversation).toBe(false)
  const entry = entryOf('a')
  list.set(entry)
  expect(list.isConversation).toBe(true)
  entry.type = 'info'
  list.set(entry)
  expect(list.isConversation).toBe(false)
  list.set(entryOf('b'))
  list.cutFrom('b')
  expect(list.isConversation).toBe(false)
})

function entryOf(id: string, type = 'user'): LogEntry {
  return createEntry({ id, type, content: 'hi' }, false, {})
}
