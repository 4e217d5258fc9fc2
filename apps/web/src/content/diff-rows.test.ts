import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copiedPatch } from './build-patch.tsx'
import { lineRuns, splitRows } from './diff-table.tsx'
import { parsePatch } from './parse-patch.ts'

describe('a diff in two columns', () => {
  test('puts the n-th new line beside the n-th old one', () => {
    const rows = splitRows(parsePatch('@@ -1,4 +1,3 @@\n same\n-a\n-b\n-c\n+A\n+B'))
    expect(
      rows.map(({ head, left, right }) => [head?.kind ?? left?.text ?? null, right?.text ?? null]),
    ).toEqual([
      ['hunk', null],
      ['same', 'same'],
      ['a', 'A'],
      ['b', 'B'],
      ['c', null],
    ])
  })

  test('leaves the old side empty where lines are only added', () => {
    const rows = splitRows(parsePatch('@@ -1,1 +1,2 @@\n+new\n same'))
    expect(rows[1]).toMatchObject({ left: null, right: { text: 'new' } })
  })

  test('shows every line on its side, once', () => {
    const line = fc.constantFrom(' same', '-old', '+new')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const parsed = parsePatch(`@@ -1,999 +1,999 @@\n${lines.join('\n')}`)
        const rows = splitRows(parsed)
        const shown = rows.flatMap(({ head, left, right }) => [head, left, right === left ? null : right])
        expect(shown.filter((each) => each !== null).sort((a, b) => a.index - b.index)).toEqual(parsed)
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
      }),
    )
  })
})

describe('the runs of a line', () => {
  test('end where a colour or a change ends', () => {
    const tokens = [
      { text: 'const', start: 0, role: 'keyword' as const },
      { text: ' a', start: 5, role: null },
    ]
    const words = [
      { text: 'con', start: 0, isChanged: false },
      { text: 'st a', start: 3, isChanged: true },
    ]
    expect(
      lineRuns('const a', tokens, words).map(({ text, role, isChanged }) => [text, role, isChanged]),
    ).toEqual([
      ['con', 'keyword', false],
      ['st', 'keyword', true],
      [' a', null, true],
    ])
  })

  test('are the line, whatever is known of it', () => {
    const lengths = fc.array(fc.nat(4))
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), lengths, lengths, (text, tokenLengths, wordLengths) => {
        const tokens = tokenLengths.map((length) => ({ text: 'x'.repeat(length), start: 0, role: null }))
        const words = wordLengths.map((length) => ({ text: 'x'.repeat(length), start: 0, isChanged: true }))
        expect(
          lineRuns(text, tokens, words)
            .map((run) => run.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })
})

describe('a patch to copy', () => {
  test('has the heads that git apply takes', () => {
    const patch = 'Index: a.ts\n===\n--- a.ts\tCurrent\n+++ a.ts\tProposed\n@@ -1 +1 @@\n-a\n+b\n'
    expect(copiedPatch(patch, '/app/a.ts', false)).toBe(
      '--- a/app/a.ts\n+++ b/app/a.ts\n@@ -1 +1 @@\n-a\n+b\n',
    )
  })

  test('of a new file comes from nowhere', () => {
    expect(copiedPatch('@@ -0,0 +1 @@\n+b', 'a.ts', true)).toBe(
      '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+b\n',
    )
  })

  test('is nothing where there is no hunk', () => {
    expect(copiedPatch('Index: a', 'a', false)).toBe('')
  })
})
