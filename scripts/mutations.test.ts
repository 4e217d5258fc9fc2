import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import plants from '../faults/plants/plants.json' with { type: 'json' }
import mutations from './mutations/mutations.json' with { type: 'json' }
import pageMutations from './mutations/page-mutations.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '')

// They identify code by its text: an edit of that text fails here, not only in the ten picked at random.
test('every mutation and every planted fault finds its place in the code, once', () => {
  const lost = [...mutations, ...pageMutations, ...plants].filter(
    ({ file, search }) => read(file).split(search).length !== 2,
  )
  expect(lost.map(({ file, search }) => `${file}: ${search}`)).toEqual([])
})

test('every mutation names a file of tests that there is', () => {
  const files = [...mutations, ...pageMutations].map((mutation) => mutation.test.file)
  expect(files.filter((file) => read(file) === '')).toEqual([])
})
