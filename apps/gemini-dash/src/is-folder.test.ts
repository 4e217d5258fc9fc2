import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFolder } from './paths.ts'

test.each([
  ['a folder', tmpdir(), true],
  ['nothing', join(tmpdir(), 'gemini-dash-nothing-here'), false],
  ['a name that is too long for any system', `/${'x'.repeat(5_000)}`, false],
  ['what no path can hold', 'a\0b', false],
])('%s: of what stands for a path nothing is thrown', (_, path, expected) => {
  expect(isFolder(path)).toBe(expected)
})
