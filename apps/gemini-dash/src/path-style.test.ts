import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { pathStyle } from './paths.ts'

const windows = pathStyle(win32, 'win32')
const macos = pathStyle(posix, 'darwin')
const linux = pathStyle(posix, 'linux')

test('B7: paths of Windows are written with slashes; elsewhere a backslash is a letter', () => {
  expect(windows.toSlashes('C:\\Users\\ada\\.gemini\\tmp')).toBe('C:/Users/ada/.gemini/tmp')
  expect(linux.toSlashes('/home/ada/odd\\name')).toBe('/home/ada/odd\\name')
})

test.each([
  ['windows', windows, 'c:\\Code\\App\\src', 'C:/code/app', true],
  ['windows', windows, 'C:\\code\\application', 'C:/code/app', false],
  ['windows', windows, 'C:\\code\\app\\', 'C:/code/app', true],
  ['macos', macos, '/Users/Ada/Code', '/Users/ada/code', true],
  ['macos', macos, '/Users/ada/cafe\u0301/src', '/Users/ada/caf\u00e9', true],
  ['linux', linux, '/home/Ada/code', '/home/ada/code', false],
  ['linux', linux, '/home/ada/code/src', '/home/ada/code', true],
  ['linux', linux, '/home/ada/code\\src', '/home/ada/code', false],
])('B7: on %s', (_system, style, path, folder, isWithin) => {
  expect(style.isWithin(path, folder)).toBe(isWithin)
})
