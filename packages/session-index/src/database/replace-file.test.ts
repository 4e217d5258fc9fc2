import { expect, test } from 'vitest'
import { replaceFile } from './database-sum.ts'

function refusing(times: number, code: string) {
  const asked = { renames: 0, waits: 0 }
  const rename = () => {
    asked.renames += 1
    if (asked.renames <= times) throw Object.assign(new Error(code), { code })
  }
  const wait = () => {
    asked.waits += 1
  }
  return { asked, options: { rename, wait } }
}

test.each(['EPERM', 'EBUSY', 'EACCES'])('B7: on Windows a file that is held (%s) is tried again', (code) => {
  const { asked, options } = refusing(3, code)
  replaceFile('a', 'b', { platform: 'win32', ...options })
  expect(asked).toEqual({ renames: 4, waits: 3 })
})

test('B7: not for ever, not for other reasons, and not on other systems', () => {
  const held = refusing(99, 'EPERM')
  expect(() => replaceFile('a', 'b', { platform: 'win32', ...held.options })).toThrow('EPERM')
  expect(held.asked.renames).toBe(7)
  const full = refusing(1, 'ENOSPC')
  expect(() => replaceFile('a', 'b', { platform: 'win32', ...full.options })).toThrow('ENOSPC')
  const linux = refusing(1, 'EPERM')
  expect(() => replaceFile('a', 'b', { platform: 'linux', ...linux.options })).toThrow('EPERM')
})
