import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import owner from './owner.json' with { type: 'json' }
import { cleanManifest, faultsOf, ownedFields, ownedReadme } from './packed-files.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test.each(['apps/gemini-dash', 'packages/gemini-sessions'])(
  'D6: %s says where the project lives, as its owner filled it in',
  (directory) => {
    expect(JSON.parse(read(`${directory}/package.json`))).toMatchObject(ownedFields(owner, directory))
  },
)

test('D6: the README of the program shows pictures and links by addresses of that repository', () => {
  const readme = read('apps/gemini-dash/README.md')
  expect(ownedReadme(readme, owner.repository)).toBe(readme)
  const other = ownedReadme(readme, 'https://github.com/someone/else')
  expect(other).toContain(
    'https://raw.githubusercontent.com/someone/else/HEAD/docs/screenshots/home-light-1440.png',
  )
  expect(other).not.toContain(owner.repository)
})

test('D6: what is published of the manifest is all that whoever installs it needs', () => {
  const manifest = JSON.parse(read('apps/gemini-dash/package.json'))
  const { devDependencies, scripts, ...kept } = manifest
  expect(Object.keys(devDependencies).length).toBeGreaterThan(10)
  expect(scripts.prepack).toBeDefined()
  expect(cleanManifest(manifest)).toEqual(kept)
})

const GOOD = {
  manifest: '{}',
  readme: '[a](https://example.org) [b](#b)',
  files: [{ path: 'cli.js', sizeBytes: 9 }],
}

test.each([
  ['', {}, []],
  ['a version of the workspace', { manifest: '{"a":"catalog:"}' }, [/only this workspace knows/]],
  ['a link to a file', { readme: '![a](docs/a.png)' }, [/leads to a place/]],
  ['a source map', { files: [{ path: 'cli.js.map', sizeBytes: 1 }] }, [/is a source map/]],
  ['too much', { files: [{ path: 'cli.js', sizeBytes: 11 }] }, [/take 11 bytes, more than 10/]],
])('D6: packing refuses %s', (_what, change, sentences) => {
  const faults = faultsOf({ ...GOOD, ...change }, 10)
  expect(faults).toHaveLength(sentences.length)
  for (const [at, sentence] of sentences.entries()) expect(faults[at]).toMatch(sentence)
})
