import { foldTextOnly } from '@gemini-dash/session-index'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchNames } from './resolve-search.ts'

const MODELS = ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-lite', 'models/x[1].(a)', 'Größe-ÄÖ']
const named = (names: readonly string[]) => names.map((name) => ({ name }))
const models = (typed: string) => [...matchNames(typed, named(MODELS))]

test.each<[typed: string, meant: string[]]>([
  ['2.5-pro', ['gemini-2.5-pro']],
  ['GEMINI-2.5-PRO', ['gemini-2.5-pro']],
  ['gemini-2.5-flash', ['gemini-2.5-flash']],
  ['flash', ['gemini-2.5-flash', 'gemini-2.5-flash-lite']],
  ['*-flash', ['gemini-2.5-flash']],
  ['2.5*', []],
  ['gemini-?.5-p*', ['gemini-2.5-pro']],
  ['x[1].(a)', ['models/x[1].(a)']],
  ['2x5', []],
  ['grosse-a', ['Größe-ÄÖ']],
  ['größe-a', ['Größe-ÄÖ']],
])('B2: model:%s', (typed, meant) => {
  expect(models(typed)).toEqual(meant)
})

const TOOLS = [
  { name: 'run_shell_command', label: 'Shell' },
  { name: 'read_file', label: 'ReadFile' },
  { name: 'read_many_files', label: 'ReadManyFiles' },
  { name: 'mcp_docs_shell', label: 'docs / shell' },
]

test.each<[typed: string, meant: string[]]>([
  ['Shell', ['run_shell_command']],
  ['shell', ['run_shell_command']],
  ['Read file', ['read_file']],
  ['read_file', ['read_file']],
  ['Read*', ['read_file', 'read_many_files']],
  ['*shell', ['run_shell_command', 'mcp_docs_shell']],
  ['docs', ['mcp_docs_shell']],
])('C13: tool:%s', (typed, meant) => {
  expect([...matchNames(typed, TOOLS)]).toEqual(meant)
})

describe('B2: whatever characters names have', () => {
  const character = fc.oneof(
    fc.constantFrom(...'-*?.^$|\\()[]{}/+aAbB12éß文😀'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  )
  const text = fc.string({ unit: character, minLength: 1, maxLength: 8 })
  const names = fc.uniqueArray(text, { minLength: 1, maxLength: 5 })
  const chosen = names.chain((all) => fc.tuple(fc.constant(all), fc.constantFrom(...all)))

  test('a whole name means just itself', () => {
    fc.assert(
      fc.property(chosen, ([all, name]) => {
        expect([...matchNames(name, named(all))]).toEqual([name])
      }),
    )
  })

  test('a part of a name finds it, and nothing that lacks the part', () => {
    const withPart = chosen.chain(([all, name]) =>
      fc.tuple(fc.constant(all), fc.constant(name), fc.nat(name.length - 1), fc.integer({ min: 1, max: 8 })),
    )
    fc.assert(
      fc.property(withPart, ([all, name, start, length]) => {
        const part = name.slice(start, start + length)
        fc.pre(
          !/[*?]/.test(part.normalize('NFKD')) && folded(part) !== '' && folded(name).includes(folded(part)),
        )
        const found = matchNames(part, named(all))
        if (![...all].some((other) => folded(other) === folded(part))) expect(found).toContain(name)
        for (const other of found) expect(folded(other)).toContain(folded(part))
      }),
    )
  })

  test('`*` and `?` are anchored at both ends', () => {
    fc.assert(
      fc.property(names, text, (all, typed) => {
        fc.pre(/[*?]/.test(typed) && !all.some((name) => folded(name) === folded(typed)))
        const meant = all.filter((name) => fits([...folded(typed)], [...folded(name)]))
        expect([...matchNames(typed, named(all))]).toEqual(meant)
      }),
    )
  })
})

/** Folded as in searches, which have their own tests. */
const folded = foldTextOnly

/** A slow but obvious reference implementation. */
function fits([first, ...pattern]: string[], text: string[]): boolean {
  if (first === undefined) return text.length === 0
  if (first === '*') return text.some((_, at) => fits(pattern, text.slice(at))) || fits(pattern, [])
  return text.length > 0 && (first === '?' || first === text[0]) && fits(pattern, text.slice(1))
}
