import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resolveKey, shortenKeys } from './resolve-key.ts'

const name = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 12 })
const sessions = fc.uniqueArray(
  fc.record({ key: name, sessionId: name, ownKeys: fc.array(name, { maxLength: 2 }) }),
  {
    selector: ({ key }) => key,
    maxLength: 12,
  },
)

test('a short key means the session whose key it begins, whatever the others are called', () => {
  fc.assert(
    fc.property(sessions, (all) => {
      const short = shortenKeys(
        all,
        all.map(({ key }) => key),
      )
      for (const { key } of all) {
        const text = short.get(key) ?? ''
        expect(key.startsWith(text)).toBe(true)
        if (resolveKey(all, key).kind === 'one') expect(resolveKey(all, text)).toEqual({ kind: 'one', key })
      }
    }),
  )
})

test('it has at least six characters, and as many as part it from all others', () => {
  const all = [
    { key: 'abcdefgh1xyz', sessionId: 's-1', ownKeys: [] },
    { key: 'abcdefgh2xyz', sessionId: 's-2', ownKeys: [] },
    { key: 'zzzzzzzzzzzz', sessionId: 's-3', ownKeys: [] },
  ]
  expect([...shortenKeys(all, ['abcdefgh1xyz', 'zzzzzzzzzzzz', 'unknown'])]).toEqual([
    ['abcdefgh1xyz', 'abcdefgh1'],
    ['zzzzzzzzzzzz', 'zzzzzz'],
    ['unknown', 'unknown'],
  ])
})
