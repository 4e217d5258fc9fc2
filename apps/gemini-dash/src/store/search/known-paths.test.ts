import { expect, test } from 'vitest'
import { knownPaths } from './search-scope.ts'

const ROOTS = ['/srv/webshop', '/srv/webshop/api']
const values = (typed: string, ...paths: string[]) =>
  knownPaths(
    paths.map((path) => ({ path, messages: 1 })),
    typed,
    ROOTS,
  ).map(({ value, hint }) => `${value}: ${hint}`)

test('a path in a project is written from its root on, and counts once however tools wrote it', () => {
  expect(values('cart', '/srv/webshop/src/cart.ts', './src/cart.ts', 'src/cart.ts')).toEqual([
    'src/cart.ts: 3 messages',
  ])
  expect(values('', '/srv/webshop/api/main.go', '/etc/hosts')).toEqual([
    '/etc/hosts: 1 message',
    'main.go: 1 message',
  ])
})

test('who types more of a path goes on with the whole of it', () => {
  expect(values('webshop/src/c', '/srv/webshop/src/cart.ts')).toEqual(['/srv/webshop/src/cart.ts: 1 message'])
  expect(values('/SRV/web', '/srv/webshop/src/cart.ts')).toEqual(['/srv/webshop/src/cart.ts: 1 message'])
})

test('a project itself is no file', () => {
  expect(values('', '/srv/webshop', '/srv/webshop/', '.', './')).toEqual([])
})
