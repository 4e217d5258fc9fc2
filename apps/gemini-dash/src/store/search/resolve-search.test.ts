import type { IndexCounts } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { summaryFixture } from '../../../test/record-fixture.ts'
import type { LinkedSession } from '../sync/rows.ts'
import { SearchResolver } from './resolve-search.ts'
import { type AskedSearch, countFacets, parseSearch, type SearchScope } from './search-scope.ts'

const session = (
  key: string,
  model: string,
  tool: string,
  mark: SessionSummary['mark'] = null,
): LinkedSession =>
  ({
    summary: summaryFixture({ key, models: [{ name: model, calls: 1 }], mark }),
    record: { tools: [{ name: tool, calls: 1 }] },
    ownKeys: [key],
  }) as unknown as LinkedSession

const NO_MARK = {
  star: false,
  note: '',
  tags: [],
  title: null,
  seen: null,
  messages: { starred: 0, noted: 0 },
}
const sessions = new Map([
  ['a', session('a', 'gemini-2.5-pro', 'read_file')],
  ['b', session('b', 'gemini-2.5-flash', 'run_shell_command')],
  ['said', session('said', 'other', 'other', { ...NO_MARK, tags: ['Später', 'to do'] })],
  ['starred', session('starred', 'other', 'other', { ...NO_MARK, messages: { starred: 1, noted: 1 } })],
])
const scope: SearchScope = {
  sessions,
  projects: [],
  isLive: ({ summary }) => summary.key === 'b',
  notesOf: ({ summary }) => (summary.key === 'starred' ? ['', 'The Idée'] : ['']),
  resolve: () => ({ kind: 'none' }),
  coverage: { filesDone: 2, filesTotal: 2 },
  isReady: true,
}
const resolve = (asked: Partial<AskedSearch>) =>
  new SearchResolver(scope).resolve(
    parseSearch({ q: '', mode: 'words', tz: 'UTC', ...asked }, Date.parse('2026-03-02T12:00:00Z')),
  )

const WORD = { kind: 'text', words: ['w'], isPrefix: false }

test('names become keys, words of time become instants, and nothing is left to look up', () => {
  expect(resolve({ q: 'w model:pro tool:Shell is:live after:yesterday' }).query).toEqual({
    mode: 'words',
    pattern: 'w',
    tree: {
      kind: 'and',
      of: [
        WORD,
        { kind: 'sessions', keys: ['a'] },
        { kind: 'tools', names: ['run_shell_command'] },
        { kind: 'sessions', keys: ['b'] },
        { kind: 'after', timeMs: Date.parse('2026-03-01T00:00:00Z') },
      ],
    },
  })
})

test('a filter beside the query means what the same filter in it means', () => {
  const written = resolve({ q: 'w model:pro tool:Shell is:error after:2026-03-01' })
  const beside = resolve({ q: 'w', model: 'pro', tool: 'Shell', is: 'error', from: '2026-03-01' })
  expect(beside.query.tree).toEqual(written.query.tree)
})

test('a tool beside is:error is a call that failed, wherever both stand; several tools, or neither beside the other, are not', () => {
  const toolsOf = (asked: Partial<AskedSearch>) =>
    JSON.stringify(resolve(asked).query.tree).match(/\{"kind":"tools".*?\}/g)
  const failed = '{"kind":"tools","names":["run_shell_command"],"isFailed":true}'
  const any = '{"kind":"tools","names":["run_shell_command"]}'
  for (const asked of [
    { q: 'w tool:Shell is:error' },
    { q: 'w', tool: 'Shell', is: 'error' },
    { q: 'w tool:Shell', is: 'error' },
    { q: '(w tool:Shell is:error) OR x' },
  ])
    expect(toolsOf(asked)).toEqual([failed])
  const read = '{"kind":"tools","names":["read_file"],"isFailed":true}'
  expect(toolsOf({ q: '(tool:Shell OR tool:read_file) is:error' })).toEqual([failed, read])
  expect(toolsOf({ q: '-tool:Shell is:error' })).toEqual([any])
  expect(toolsOf({ q: '(tool:Shell OR is:error) w' })).toEqual([any])
  expect(toolsOf({ q: 'tool:Shell tool:read_file is:error' })?.[0]).toBe(any)
})

test('what there would be without a filter is told for each that stands beside', () => {
  const { treesWithout } = resolve({ q: 'w', model: 'pro', is: 'superseded' })
  const superseded = { kind: 'is', what: 'superseded' }
  expect(Object.fromEntries(treesWithout)).toEqual({
    model: { kind: 'and', of: [WORD, superseded] },
    is: { kind: 'and', of: [WORD, { kind: 'sessions', keys: ['a'] }] },
  })
})

test('a query of nothing asks for nothing, whatever stands beside it; a pattern may have filters only', () => {
  expect(resolve({ model: 'pro' }).query.tree).toBeNull()
  expect(resolve({ model: 'pro', mode: 'substring' }).query.tree).toEqual({
    kind: 'and',
    of: [{ kind: 'sessions', keys: ['a'] }],
  })
})

test.each([
  ['is:starred', ['starred']],
  ['tag:spater', ['said']],
  ['tag:"to do"', ['said']],
  ['tag:spat*', ['said']],
  ['tag:nothing', []],
  ['note:idee', ['starred']],
  ['note:nothing', []],
])('what a person said of sessions is asked for by %s', (q, keys) => {
  expect(resolve({ q, mode: 'substring' }).query.tree).toEqual({
    kind: 'and',
    of: [{ kind: 'sessions', keys }],
  })
})

test('a prompt without an answer counts as an error, but not while its session is being written', () => {
  const counts = {
    fieldCounts: {},
    quarterHourCounts: [],
    toolCounts: [],
    statusCounts: [],
    sessionHits: [
      ['a', 2],
      ['b', 4],
    ],
    stateCounts: { error: 10, superseded: 0 },
    unansweredHits: [
      ['a', 1],
      ['b', 3],
      ['gone', 5],
    ],
  } as unknown as IndexCounts
  const { is } = countFacets(() => counts, scope, 'UTC')
  expect(is.map(({ value, count }) => [value, count])).toEqual([
    ['error', 11],
    ['live', 4],
  ])
})
