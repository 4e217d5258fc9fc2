import { expect, it } from 'vitest'
import { resolveTouchedPath, touchedPathName } from './find-file-calls.ts'
import { foldPath } from './path-spellings.ts'

it.each([
  ['/home/me/shop/src/a.ts', '/home/me/shop', '/home/me/shop/src/a.ts'],
  ['src/a.ts', '/home/me/shop', '/home/me/shop/src/a.ts'],
  ['./src/../src//a.ts', '/home/me/shop/', '/home/me/shop/src/a.ts'],
  ['../other/a.ts', '/home/me/shop', '/home/me/other/a.ts'],
  ['"src/a b.ts"', '/home/me/shop', '/home/me/shop/src/a b.ts'],
  ['`src/a.ts`', '/home/me/shop', '/home/me/shop/src/a.ts'],
  ['@src/a.ts', '/home/me/shop', '/home/me/shop/src/a.ts'],
  ['file:///home/me/a.ts', null, '/home/me/a.ts'],
  ['~/notes.md', '/home/me/shop', '/home/me/notes.md'],
  ['~/notes.md', '/Users/me/shop', '/Users/me/notes.md'],
  ['~/notes.md', null, '~/notes.md'],
  ['src\\a.ts', 'c:\\code\\shop', 'C:/code/shop/src/a.ts'],
  ['c:\\code\\shop\\src\\a.ts', null, 'C:/code/shop/src/a.ts'],
  ['\\\\server\\share\\a.ts', null, '//server/share/a.ts'],
  ['src/a.ts', null, 'src/a.ts'],
  ['/../a', null, '/a'],
  ['.', '/home/me/shop', '/home/me/shop'],
  ['src/', '/home/me/shop', '/home/me/shop/src'],
])('%j in %j is %j', (written, root, path) => {
  expect(resolveTouchedPath(written, root)).toBe(path)
  expect(resolveTouchedPath(path, root), 'a second time').toBe(path)
})

it.each([
  ['/home/me/shop/src/a.ts', '/home/me/shop', 'src/a.ts'],
  ['/home/me/shop', '/home/me/shop', '.'],
  ['/home/me/shopping/a.ts', '/home/me/shop', '/home/me/shopping/a.ts'],
  ['C:/Code/Shop/a.ts', 'c:\\code\\shop', 'a.ts'],
  ['/a.ts', '/', 'a.ts'],
  ['src/a.ts', null, 'src/a.ts'],
])('%j seen from %j is %j', (path, root, name) => {
  expect(touchedPathName(path, root)).toBe(name)
})

it('takes case as the system does', () => {
  expect(foldPath('C:/Code/A.ts')).toBe(foldPath('C:/code/a.ts'))
  expect(foldPath('/code/A.ts')).not.toBe(foldPath('/code/a.ts'))
})
