import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startManifest } from '../../../../fixtures/large/home-manifest.ts'
import { readManifest } from './read-manifest.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'manifest-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a home of the generator of today is read', () => {
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(startManifest(7)))
  expect(readManifest(folder).seed).toBe(7)
})

test('a home of an older generator is refused, with what to do', () => {
  const { countedQueries, ...older } = startManifest(7)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(older))
  expect(() => readManifest(folder)).toThrow(/older generator: it lacks countedQueries.*generate-home\.ts/)
})

test('a folder without a manifest is none of the generator', () => {
  expect(() => readManifest(folder)).toThrow(/There is no .*manifest\.json\. .*generate-home\.ts/)
})
