import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RawObject } from '../raw.ts'
import { fillFromRewrite, isLoadedByCli, slimRow } from './replay.ts'
import { createEntry } from './row.ts'

const value = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'text',
  [],
  [{ text: 'part' }],
  [{ inlineData: null }],
  { text: 7 },
  3,
)
const row = fc.record({
  id: fc.constant('a'),
  type: fc.constantFrom('user', 'gemini'),
  content: value,
  displayContent: value,
  thoughts: value,
  toolCalls: value,
  model: value,
  tokens: fc.constantFrom(undefined, { input: 1 }, { input: 0 }),
})

it('changes an entry as the whole row would, and is loaded by the CLI as the whole row', () => {
  fc.assert(
    fc.property(row, fc.boolean(), row, (first, isRewrite, listed) => {
      const whole = createEntry(first, isRewrite, {})
      const slim = { ...whole }
      const slimmed = slimRow(listed, () => slim) as RawObject
      expect(isLoadedByCli(slimmed)).toBe(isLoadedByCli(listed))
      fillFromRewrite(whole, listed)
      fillFromRewrite(slim, slimmed)
      expect(slim).toEqual(whole)
    }),
    { numRuns: 1_000 },
  )
})

it('lets go of what is known', () => {
  const message = { id: 'a', type: 'gemini', content: 'long', toolCalls: [{ id: 'c' }] }
  const entry = createEntry(message, false, {})
  expect(JSON.stringify(slimRow(message, () => entry))).toBe('{"id":"a","type":"gemini","content":""}')
  expect(slimRow(message, () => undefined)).toBe(message)
})
