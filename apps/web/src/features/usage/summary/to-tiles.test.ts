import { NO_USAGE } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { type TileSource, toTiles } from './to-tiles.ts'

const source = (usd: number | null, input: number, cached: number, errors: number): TileSource => ({
  total: {
    usage: { ...NO_USAGE, input, cached, total: input, calls: 3 },
    cost: { usd, unpricedCalls: 2 },
    calls: 3,
    sessions: 4,
    failures: { tools: errors, refused: errors, unanswered: 0 },
  },
  tools: [{ key: 'edit', label: 'edit', usage: null, cost: null, calls: 10, sessions: 1, errors }],
})
const notesOf = (...sources: [TileSource, TileSource | null]) =>
  new Map(toTiles(...sources).map(({ label, notes }) => [label, notes.filter((note) => note !== false)]))

test('each total says how it changed against the time before', () => {
  const notes = notesOf(source(3, 1_000, 500, 1), source(2, 2_000, 400, 0))
  expect(notes.get('Cost')).toEqual(['50 % more than before', '2 calls of unknown price', '2 before'])
  expect(notes.get('Tokens')?.[0]).toBe('50 % less than before')
  expect(notes.get('Sessions')?.[0]).toBe('as before')
  expect(notes.get('Cache hit rate')?.[0]).toBe('30 points more than before')
  expect(notes.get('Failed')).toEqual([
    'none before',
    '1 tool call',
    '1 refused request',
    '10 % of 10 tool calls',
  ])
})

test('that nothing was before is told once', () => {
  const { total, tools } = source(2, 2_000, 400, 0)
  const notes = notesOf(source(3, 1_000, 500, 1), { total: { ...total, sessions: 0 }, tools })
  const said = [...notes.values()].flat().filter((note) => /before|earlier/.test(note))
  expect(said).toEqual(['no earlier sessions'])
})

test('a jump is told as a multiple', () => {
  expect(notesOf(source(30, 1, 0, 0), source(2, 1, 0, 0)).get('Cost')?.[0]).toBe('15 times as before')
})

test('all time has no time before it', () => {
  const said = [...notesOf(source(3, 1_000, 500, 1), null).values()].flat()
  expect(said.filter((note) => note.includes('before'))).toEqual([])
})

test('an unknown cost and a rate without input are no numbers', () => {
  const tiles = toTiles(source(null, 0, 0, 0), null)
  expect(tiles.filter(({ value }) => value === '-').map(({ label }) => label)).toEqual([
    'Cost',
    'Cache hit rate',
  ])
})
