import { expect, test } from 'vitest'
import { findTouchedPaths, guessRoot } from './path-clue.ts'
import { foldersAbove } from './path-spellings.ts'

test('paths in tool arguments are found in any system’s spelling, the CLI’s own files left out', () => {
  const args = [
    { absolute_path: '/code/shop/a.ts' },
    { file_path: 'C:\\Work\\Shop\\b.ts' },
    { dir_path: 'C:/Work/Shop' },
    { path: 'src/relative.ts' },
    { file_path: '/home/mia/.gemini/tmp/shop/plans/plan.md' },
    { text: '/code/only/mentioned.ts' },
  ]
  expect(findTouchedPaths(JSON.stringify(args))).toEqual([
    '/code/shop/a.ts',
    'C:\\Work\\Shop\\b.ts',
    'C:/Work/Shop',
  ])
})

test('the folders above a path end below the root of the file system', () => {
  expect(foldersAbove('/code/shop/a.ts')).toEqual(['/code/shop', '/code'])
  expect(foldersAbove('C:\\Work\\Shop\\a.ts')).toEqual(['C:\\Work\\Shop', 'C:\\Work'])
  expect(foldersAbove('C:/Work/Shop\\a.ts')).toEqual(['C:/Work/Shop', 'C:/Work'])
  expect(foldersAbove('/a\\b')).toEqual([])
})

test('the guess is the innermost folder that holds most of what was touched', () => {
  const touched = ['/code/shop/src/a.ts', '/code/shop/src/b.ts', '/code/shop/package.json', '/etc/hosts']
  expect(guessRoot(touched)).toBe('/code/shop')
})

test('folders that hold projects are no guess', () => {
  expect(guessRoot(['/home/mia/a.txt', '/home/mia/b.txt'])).toBeNull()
  expect(guessRoot(['C:\\Users\\Mia\\a.txt'])).toBeNull()
  expect(guessRoot([])).toBeNull()
})
