import { describe, expect, test } from 'vitest'
import { buildPatch } from './build-patch.tsx'
import { wordChanges } from './diff-table.tsx'
import { parsePatch } from './parse-patch.ts'

const diff = {
  kind: 'diff',
  fileName: 'price.js',
  filePath: null,
  fileDiff: '',
  originalContent: null,
  newContent: null,
  linesAdded: 0,
  linesRemoved: 0,
  isNewFile: false,
  isRebuilt: false,
} as const

describe('the patch of an edit', () => {
  test('is the recorded one where there is one', () => {
    expect(buildPatch({ ...diff, fileDiff: '@@ -1 +1 @@\n-a\n+b' })).toBe('@@ -1 +1 @@\n-a\n+b')
  })

  test('is made from both versions where only they were stored', () => {
    const patch = buildPatch({ ...diff, originalContent: 'a\nb\n', newContent: 'a\nc\n' })
    expect(parsePatch(patch ?? '').map((line) => [line.kind, line.text])).toEqual([
      ['hunk', '@@ -1,2 +1,2 @@'],
      ['same', 'a'],
      ['removed', 'b'],
      ['added', 'c'],
    ])
  })

  test('of a new file adds every line', () => {
    const patch = buildPatch({ ...diff, newContent: 'a\nb\n' })
    expect(parsePatch(patch ?? '').filter((line) => line.kind === 'added')).toHaveLength(2)
  })

  test('is nothing where nothing is known', () => {
    expect(buildPatch(diff)).toBeNull()
  })
})

describe('a unified diff', () => {
  test('is numbered on both sides', () => {
    const lines = parsePatch(
      'Index: x\n===\n--- x\tCurrent\n+++ x\tProposed\n@@ -3,3 +3,2 @@\n a\n-b\n-- c\n+d',
    )
    expect(lines.map((line) => [line.kind, line.oldNumber, line.newNumber])).toEqual([
      ['hunk', null, null],
      ['same', 3, 3],
      ['removed', 4, null],
      ['removed', 5, null],
      ['added', null, 4],
    ])
  })

  test('that was cut short shows what is left', () => {
    expect(parsePatch('@@ -1,9 +1,9 @@\n a\n-b').map((line) => line.kind)).toEqual([
      'hunk',
      'same',
      'removed',
    ])
  })

  test('keeps the remark about a missing line end', () => {
    const lines = parsePatch('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b')
    expect(lines.map((line) => line.kind)).toEqual(['hunk', 'removed', 'remark', 'added'])
  })

  test('text that is no diff has no lines', () => {
    expect(parsePatch('+ just text\n- more')).toEqual([])
  })
})

describe('changed words', () => {
  test('are told apart where a line replaces another', () => {
    const lines = parsePatch('@@ -1 +1 @@\n-const a = 1\n+const b = 1')
    const changes = wordChanges(lines)
    expect(
      changes
        .get(1)
        ?.filter((word) => word.isChanged)
        .map((word) => word.text),
    ).toEqual(['a'])
    expect(
      changes
        .get(2)
        ?.filter((word) => word.isChanged)
        .map((word) => word.text),
    ).toEqual(['b'])
  })

  test('are not sought where two lines have nothing in common', () => {
    expect(wordChanges(parsePatch('@@ -1 +1 @@\n-alpha\n+omega')).size).toBe(0)
  })
})
