import { describe, expect, it } from 'vitest'
import { foldPath, isSamePath } from './path-spellings.ts'

describe('two spellings of one folder', () => {
  it.each([
    ['E:\\Work\\Shop', 'e:\\work\\shop'],
    ['E:\\Work\\Shop', 'E:/Work/Shop'],
    ['E:\\Work\\Shop\\', 'e:/work//shop'],
    ['C:\\', 'c:/'],
    ['\\\\Server\\Share\\Shop', '//server/share/shop'],
    ['\\\\?\\C:\\Work', 'c:\\work'],
    ['\\\\?\\UNC\\server\\share', '\\\\SERVER\\share'],
    ['C:\\ΟΔΟΣ', 'c:\\οδος'],
    ['C:\\ΟΔΟΣ\\Shop', 'c:\\οδοσ\\shop'],
    ['/Users/mia/Code', '/Users/Mia/code/'],
    ['/Users/mia/cafe\u0301', '/Users/mia/CAF\u00c9'],
    ['/Volumes/Work/Shop', '/Volumes/work/shop'],
    ['/private/tmp/Shop', '/private/tmp/shop'],
    ['/home/mia/shop', '/home/mia/shop/'],
  ])('I4: %s is %s', (one, other) => {
    expect(isSamePath(one, other)).toBe(true)
    expect(foldPath(one)).toBe(foldPath(other))
  })

  it.each([
    ['/home/mia/Shop', '/home/mia/shop'],
    ['/home/mia/caf\u00e9', '/home/mia/cafe\u0301'],
    ['/home/mia/odd\\name', '/home/mia/odd/name'],
    ['/home/Users/mia/Shop', '/home/Users/mia/shop'],
    ['/users/mia/Shop', '/users/mia/shop'],
    ['/private/Shop', '/private/shop'],
    ['/', ''],
    ['C:\\Work', 'D:\\Work'],
    ['C:\\Work', '/c/Work'],
    ['C:\\caf\u00e9', 'C:\\cafe\u0301'],
    ['/Users/mia/code', '/Users/mia/code2'],
  ])('I4: %s is not %s', (one, other) => {
    expect(isSamePath(one, other)).toBe(false)
  })
})
