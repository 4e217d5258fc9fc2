import { describe, expect, test } from 'vitest'
import type { Flags } from '../terminal/flags.ts'
import { readServeSettings } from './serve-settings.ts'

test('R1: by default it listens on 127.0.0.1, near port 4747, and wants a token', () => {
  expect(readServeSettings({}, [])).toEqual({
    host: '127.0.0.1',
    portWish: { port: 4747, isStrict: false },
    folder: process.cwd(),
    isFolderNamed: false,
    isTokenWanted: true,
    mayReuse: true,
    allowedHosts: [],
  })
})

describe('--no-token', () => {
  test.each(['127.0.0.1', 'localhost', '::1'])('is allowed on %s', (host) => {
    expect(readServeSettings({ host, 'no-token': true }, []).isTokenWanted).toBe(false)
  })

  test.each(['0.0.0.0', '::', '192.168.1.5', 'my-machine', '127.0.0.1.nip.io', '1270.0.0.1'])(
    'is refused on %s',
    (host) => {
      expect(() => readServeSettings({ host, 'no-token': true }, [])).toThrow(
        'show your sessions to everyone',
      )
    },
  )
})

test.each<[Flags, string]>([
  [{ port: '65536' }, '--port'],
  [{ port: 'http' }, '--port'],
  [{ port: '-1' }, '--port'],
  [{ host: 'a b' }, '--host'],
  [{ 'allow-host': ['https://box.example/'] }, '--allow-host'],
  [{ 'allow-host': ['*.example'] }, '--allow-host'],
  [{ 'allow-host': ['localhost:4848'] }, '--allow-host'],
])('%j is refused', (flags, named) => {
  expect(() => readServeSettings(flags, [])).toThrow(named)
})

test.each<[boolean, Flags]>([
  [true, { json: true }],
  [false, { json: true, new: true }],
  [false, { 'allow-host': ['box.example'] }],
  [true, { json: true, port: '0' }],
  [false, { json: true, 'strict-port': true }],
])('a server that runs already will do: %j with %j', (mayReuse, flags) => {
  expect(readServeSettings(flags, []).mayReuse).toBe(mayReuse)
})

test('names to be allowed are read as browsers write them', () => {
  const { allowedHosts } = readServeSettings({ 'allow-host': ['Box.Example:443', 'box.example:8443'] }, [])
  expect(allowedHosts).toEqual(['box.example', 'box.example:8443'])
})

test('D5: a folder that is gone may be one of a project', () => {
  expect(readServeSettings({}, ['/gone'])).toMatchObject({ folder: '/gone', isFolderNamed: true })
})
