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
  expect(exportName(session(title), null)).toBe(expected)
})

test('a name is no device, begins with no dash or dot, and no system finds it too long', () => {
  const odd = exportName({ key: '-dashed-key-', title: '字'.repeat(500), startTime: null }, null)
  expect(odd.startsWith('session-')).toBe(true)
  expect(Buffer.byteLength(odd)).toBeLessThan(200)
})

test('names stay apart where a system takes A for a, and are the same whichever way the sessions come', () => {
  const twins = [session('Same', 'abcdefABCDEF'), session('Same', 'ABCDEFabcdef')]
  const names = exportNames(twins, null)
  expect(new Set([...names.values()].map((name) => name.toLowerCase())).size).toBe(2)
  expect(exportNames(twins.toReversed(), null)).toEqual(names)
})

test('the name of what leaves redacted is made of the redacted title', () => {
  const redaction = { homes: ['/home/ada'], userNames: ['ada'], hostNames: [], keep: [] }
  const token = ['npm_aB3dE5fG7hJ9kL1m', 'N3pQ5rS7tU9vW1xYabcd'].join('')
  const nameOf = (title: string) => exportName(session(title), redaction)
  expect(nameOf(`use ${token} now`)).toBe('2026-11-20-use-redacted-npm-token-now-a1B2c3D4e5F6')
  expect(nameOf('try Zq8nTv4Lk2 in /srv/ada/x')).toBe('2026-11-20-try-in-srv-user-x-a1B2c3D4e5F6')
  expect(nameOf('mail ada.byron@analytical.org')).toBe('2026-11-20-mail-e-mail-a1B2c3D4e5F6')
})
