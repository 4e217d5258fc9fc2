import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CutRow } from './large-texts.ts'

const LONG_BYTES = 20
const text = fc.oneof(
  fc.constantFrom('', 'short', 'just twenty bytes ok', 'one that is longer than that', '料理 '.repeat(9)),
  fc.constantFrom(
    '"quoted" \\ and\nlines\t'.repeat(3),
    '\u001b[31mred\u001b[0m '.repeat(4),
    '\ud800 alone '.repeat(3),
  ),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: text },
    fc.constantFrom<unknown>(null, true, -1.5e-7),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(text, tie('any'), { maxKeys: 3 }),
  ),
})).any
const row = fc.dictionary(text, value, { minKeys: 1, maxKeys: 3 })

it('is what JSON.parse makes of the row once its long texts are back', () => {
  fc.assert(
    fc.property(row, fc.constantFrom(0, 2), fc.boolean(), (written, indent, isEscaped) => {
      const json = JSON.stringify(written, null, indent)
      const bytes = new TextEncoder().encode(
        isEscaped ? json.replaceAll('w', '\\u0077').replaceAll('/', '\\/') : json,
      )
      const cut = CutRow.parse(bytes, LONG_BYTES)
      cut?.restore()
      expect(cut?.row ?? JSON.parse(json)).toEqual(JSON.parse(json))
    }),
    { numRuns: 1_000 },
  )
})

it('holds a mark in place of each long text, but none in place of a name', () => {
  const name = 'the name of a field, however long'
  const long = 'a text of more than twenty bytes'
  const cut = CutRow.parse(
    new TextEncoder().encode(JSON.stringify({ [name]: 'short', __proto__x: [long] })),
    LONG_BYTES,
  )
  expect(cut?.row[name]).toBe('short')
  const [mark] = [cut?.row.__proto__x].flat()
  expect(mark).not.toBe(long)
  expect(cut?.textOf(mark)?.decode()).toBe(long)
  expect(cut?.textOf('short')).toBeUndefined()
})

it.each([
  ['a string that does not end', '{"a":"just as long as it has to be'],
  ['a line break within a string', '{"a":"just as long as it has to be\n"}'],
  ['an unknown escape in a long string', '{"a":"just as long as it has to be\\x"}'],
  ['no object', '["just as long as it has to be"]'],
  ['nothing that is long', '{"a":"short"}'],
  ['a comma too many', '{"a":"just as long as it has to be",}'],
])('is nothing where there is %s, so that the row is read as any other', (_, json) => {
  expect(CutRow.parse(new TextEncoder().encode(json), LONG_BYTES)).toBeNull()
})

it('brings back a text at any depth, and under any name', () => {
  const long = 'a text of more than twenty bytes'
  const json = `{"__proto__":"${long}","deep":${'['.repeat(20_000)}"${long}"${']'.repeat(20_000)}}`
  const cut = CutRow.parse(new TextEncoder().encode(json), LONG_BYTES)
  cut?.restore()
  expect(Object.getOwnPropertyDescriptor(cut?.row, '__proto__')?.value).toBe(long)
  let deep: unknown = cut?.row.deep
  while (Array.isArray(deep)) deep = deep[0]
  expect(deep).toBe(long)
})
