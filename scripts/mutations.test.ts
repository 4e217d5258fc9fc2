import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import plants from '../faults/plants/plants.json' with { type: 'json' }
import { findPlace } from './mutations/find-place.mjs'
import mutations from './mutations/mutations.json' with { type: 'json' }
import pageMutations from './mutations/page-mutations.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')

// An edit of the code that they change fails here, not only in the ten picked at random.
test('every mutation and every planted fault finds its place in the code, once', () => {
  const places = [...mutations, ...pageMutations, ...plants].map(findPlace)
  expect(places.flatMap((place) => ('problem' in place ? place.problem : []))).toEqual([])
})

test('a place that is missing or doubled is said', () => {
  expect(findPlace({ symbol: 'noSuchThing', search: '' })).toEqual({
    problem: 'Nothing is named noSuchThing.',
  })
  const { symbol, search } = mutations[0] ?? { symbol: '', search: '' }
  expect(findPlace({ symbol, search: `${search} no` })).toEqual({
    problem: `"${search} no" is 0 times in ${symbol}, not once.`,
  })
  expect(findPlace({ symbol, search: 'const ' })).toMatchObject({
    problem: expect.stringContaining('times in'),
  })
})

test('every mutation names a file of tests that there is', () => {
  const files = [...mutations, ...pageMutations].map((mutation) => mutation.test.file)
  expect(files.filter((file) => read(file) === '')).toEqual([])
})
