import { expect, test } from 'vitest'
import { compareAnswers } from './golden-files.ts'

const answer = (body: unknown, path = '/api/projects') => ({
  route: '/api/projects',
  path,
  status: 200,
  body,
})

test('a difference is named by its route and field, and so is an answer that only one side has', () => {
  const golden = {
    a: [answer({ projects: [{ key: 'x', usage: { total: 1 } }] }), answer(1, '/api/projects?b')],
  }
  expect(compareAnswers(golden, structuredClone(golden))).toEqual([])
  const seen = { a: [answer({ projects: [{ key: 'x', usage: { total: 2 } }, { key: 'y' }] })] }
  expect(compareAnswers(seen, golden).map(({ field, seen, golden }) => [field, seen, golden])).toEqual([
    ['/api/projects projects.*.usage.total', 2, 1],
    ['/api/projects projects.*', { key: 'y' }, undefined],
    ['/api/projects', undefined, golden.a[1]],
  ])
})
