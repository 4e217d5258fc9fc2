import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FileTreeFolder, fileTree } from './matches.tsx'

describe('files as a tree', () => {
  test('stand below what the tool was asked for, folders before files', () => {
    const tree = fileTree(['/app/src/money/round.ts', '/app/src/cart.ts', '/app/package.json'], '/app')
    expect(drawn(tree)).toEqual(['src/ 2', '  money/ 1', '    round.ts', '  cart.ts', 'package.json'])
  })

  test('share one line where a folder holds nothing but a folder', () => {
    expect(drawn(fileTree(['/home/a/x.ts', '/home/a/y.ts']))).toEqual(['/home/a/ 2', '  x.ts', '  y.ts'])
  })

  test('keep folders that were listed alone, and ways of Windows', () => {
    expect(drawn(fileTree(['pages/', 'src\\a.ts']))).toEqual(['pages/ 0', 'src/ 1', '  a.ts'])
  })

  test('are all there, each once, whatever their names', () => {
    const name = fc.stringMatching(/^[a-c.]{1,3}$/)
    const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((steps) => steps.join('/'))
    fc.assert(
      fc.property(fc.array(path), (paths) => {
        expect(filesOf(fileTree(paths)).sort()).toEqual([...paths].sort())
      }),
    )
  })
})

function drawn(folder: FileTreeFolder, depth = 0): string[] {
  const indent = '  '.repeat(depth)
  return [
    ...folder.folders.flatMap((child) => [
      `${indent}${child.name} ${child.fileCount}`,
      ...drawn(child, depth + 1),
    ]),
    ...folder.files.map(({ name }) => `${indent}${name}`),
  ]
}

function filesOf(folder: FileTreeFolder): string[] {
  return [...folder.files.map(({ path }) => path), ...folder.folders.flatMap(filesOf)]
}
