import { expect, test } from 'vitest'
import { exportName, exportNames } from './export-name.ts'

const session = (title: string, key = 'a1B2c3D4e5F6') => ({
  key,
  title,
  startTime: '2026-11-20T10:00:00.000Z',
})

test.each([
  ['Mend the cart', '2026-11-20-mend-the-cart-a1B2c3D4e5F6'],
  ['../../etc/passwd', '2026-11-20-etc-passwd-a1B2c3D4e5F6'],
  ['CON', '2026-11-20-con-a1B2c3D4e5F6'],
  ['a<b>c:d"e/f\\g|h?i*j\0k. ', '2026-11-20-a-b-c-d-e-f-g-h-i-j-k-a1B2c3D4e5F6'],
  ['買い物かご 🛒', '2026-11-20-買い物かご-a1B2c3D4e5F6'],
  ['', '2026-11-20-a1B2c3D4e5F6'],
])('%j is %s', (title, expected) => {
  expect(exportName(session(title))).toBe(expected)
})

test('a name is no device, begins with no dash or dot, and no system finds it too long', () => {
  const odd = exportName({ key: '-dashed-key-', title: '字'.repeat(500), startTime: null })
  expect(odd.startsWith('session-')).toBe(true)
  expect(Buffer.byteLength(odd)).toBeLessThan(200)
})

test('names stay apart where a system takes A for a, and are the same whichever way the sessions come', () => {
  const twins = [session('Same', 'abcdefABCDEF'), session('Same', 'ABCDEFabcdef')]
  const names = exportNames(twins)
  expect(new Set([...names.values()].map((name) => name.toLowerCase())).size).toBe(2)
  expect(exportNames(twins.toReversed())).toEqual(names)
})
