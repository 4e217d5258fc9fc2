import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pathPattern, wildcardPattern } from './rows.ts'

it.each([
  ['/home/me/src/a.ts', '/home/me/src/a.ts', true],
  ['a.ts', '/home/me/src/a.ts', true],
  ['src/a.ts', '/home/me/src/a.ts', true],
  ['rc/a.ts', '/home/me/src/a.ts', false],
  ['/src/a.ts', '/home/me/src/a.ts', false],
  ['SRC\\A.ts', 'C:/code/src/a.ts', true],
  ['*.ts', '/home/me/src/a.ts', true],
  ['*.ts', '/home/me/src.ts/a.js', false],
  ['src/*.ts', '/home/me/src/deep/a.ts', false],
  ['src/**/*.ts', '/home/me/src/deep/er/a.ts', true],
  ['src/**/*.ts', '/home/me/src/a.ts', true],
  ['src/**', '/home/me/src/deep/a.ts', true],
  ['/home/*/src/?.ts', '/home/me/src/a.ts', true],
  ['src/', '/home/me/src', true],
  ['', '/home', false],
  ['*', '/', false],
  ['a.ts', '/home/me/a.ts/', true],
  ['*.ts', '/home/me/a.ts//', true],
  ['/a.ts', '/home/me/a.ts', false],
  ['**', '/home/me', true],
  // N11: macOS decomposes accents and syllables
  ['데이터.md', '/Users/mia/lib/데이터.md'.normalize('NFD'), true],
  ['*데이터*', '/Users/mia/lib/데이터.md'.normalize('NFD'), true],
  ['lib/?bersicht.md', '/Users/mia/lib/ÜBERSICHT.md'.normalize('NFD'), true],
  ['größe.md'.normalize('NFD'), '/Users/mia/lib/Größe.md', true],
])('%j and the path %j: %j', (pattern, path, isWanted) => {
  expect(pathPattern(pattern)(path)).toBe(isWanted)
})

it('takes * and ? as a regular expression would', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 6 })
  fc.assert(
    fc.property(text, pattern, (name, wanted) => {
      const source = wanted.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')
      expect(wildcardPattern(wanted)(name)).toBe(new RegExp(`^${source}$`).test(name))
    }),
  )
})
