import { expect, test } from 'vitest'
import { activeFilters } from './list-actions.tsx'

const wordsOf = (search: Parameters<typeof activeFilters>[0]) =>
  activeFilters(search).map(({ words }) => words)

test('C10: filters are told in words, and the order of the list is none', () => {
  expect(wordsOf({ sort: 'cost' })).toEqual([])
  expect(wordsOf({ q: 'proxy', range: '7d', model: 'gemini-2.5-pro', has: 'errors' })).toEqual([
    'title contains “proxy”',
    'last 7 days',
    'model 2.5-pro',
    'failed',
  ])
  expect(wordsOf({ tool: 'run_shell_command', attachments: 'yes' })).toEqual([
    'tool Shell',
    'with attachments',
  ])
  expect(wordsOf({ kind: 'subagent' })).toEqual(['sub-agents'])
  expect(wordsOf({ kind: 'subagent', parent: 'a' })).toEqual(['of one session'])
})

test('C10: each filter can be taken off by what it changes', () => {
  const days = { q: 'a', from: '2026-11-01', to: '2026-11-08' } as const
  const search = { ...days, model: 'm', tool: 't', attachments: 'yes', has: 'live', kind: 'all' } as const
  for (const { words, change } of activeFilters(search))
    expect(wordsOf({ ...search, ...change })).toEqual(wordsOf(search).filter((other) => other !== words))
})
