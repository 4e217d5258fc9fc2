import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT, readTable } from './read-table.ts'

const CONFORMANCE = 'packages/gemini-sessions/test/checklist/conformance.test.ts'
const ROWS = readTable()
const ITEMS = Array.from({ length: 64 }, (_, index) => String(index + 1))
const HAZARDS = Array.from({ length: 23 }, (_, index) => `H${index + 1}`)

describe('the table in fixtures/README.md', () => {
  it('has every item and every hazard once, with a rule and a test', () => {
    expect(ROWS.map(({ item }) => item)).toEqual([...ITEMS, ...HAZARDS])
    expect(ROWS.filter(({ rule, tests }) => rule === '' || tests.some(({ name }) => name === ''))).toEqual([])
  })

  it.each(ROWS)('names for $item only what exists', ({ fixtures, tests }) => {
    expect(fixtures.filter((path) => !existsSync(`${ROOT}/fixtures/${path}`))).toEqual([])
    expect(tests.filter(({ file, name }) => !titlesIn(file).some((title) => title.test(name)))).toEqual([])
  })

  it('has every case of the conformance set, and no other', () => {
    const cases = readdirSync(`${ROOT}/fixtures/sessions`, { withFileTypes: true })
    const names = cases.flatMap((entry) => (entry.isDirectory() ? [`reads ${entry.name}`] : []))
    const named = ROWS.flatMap(({ tests }) => tests.filter(({ file }) => file === CONFORMANCE))
    expect([...new Set(named.map(({ name }) => name))].sort()).toEqual(names.sort())
  })

  it('has a mutation for each of the 64 items', () => {
    const mutations: { item: string }[] = JSON.parse(
      readFileSync(`${ROOT}/scripts/mutations/mutations.json`, 'utf8'),
    )
    // Items of other parts of the program have names instead of numbers.
    const numbers = mutations.map(({ item }) => item).filter((item) => /^\d/.test(item))
    expect([...new Set(numbers)].sort()).toEqual([...ITEMS].sort())
  })
})

/** The titles of a file's tests; placeholders of `each` match anything. */
function titlesIn(file: string): RegExp[] {
  if (!existsSync(`${ROOT}/${file}`)) return []
  const source = readFileSync(`${ROOT}/${file}`, 'utf8')
  return [...source.matchAll(/(['`])((?:(?!\1)[^\n])+)\1,\s*(?:async\b|\()/g)].map(([, , title = '']) => {
    const pieces = title.split(/%[sdj]|\$\{[^}]*\}|\$[\w.]+/)
    return new RegExp(`^${pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`)
  })
}
