import type { TouchedFile } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { foldersOf } from './folders-of.ts'

const file = (name: string) => ({ name }) as TouchedFile

it('puts files under their folders, folders by name', () => {
  const folders = foldersOf(['src/b.ts', 'readme.md', 'src/a.ts', '/etc/hosts', '/x'].map(file))
  expect(folders.map(({ folder, files }) => [folder, files.map(({ name }) => name)])).toEqual([
    ['.', ['readme.md']],
    ['/', ['/x']],
    ['/etc', ['/etc/hosts']],
    ['src', ['src/b.ts', 'src/a.ts']],
  ])
})
