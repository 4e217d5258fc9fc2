import { describe, expect, test } from 'vitest'
import type { Flags } from '../command-line/flags.ts'
import { readServeSettings } from './serve-settings.ts'

test('R1: by default it listens on 127.0.0.1, near port 4747, and wants a token', () => {
  expect(readServeSettings({}, [])).toEqual({
    host: '127.0.0.1',
    portWish: { port: 4747, isStrict: false },
    folder: process.cwd(),
    isTokenWanted: true,
    mayReuse: true,
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
])('%j is refused', (flags, named) => {
  expect(() => readServeSettings(flags, [])).toThrow(named)
})

test('a word that is no folder is told as what it may have been', () => {
  expect(() => readServeSettings({}, ['lsit'])).toThrow('"lsit" is neither a command nor a folder.')
})

test.each<Flags>([{ port: '4747' }, { json: true }, { new: true }, { 'no-cache': true }])(
  '%j wants a server of its own',
  (flags) => {
    expect(readServeSettings(flags, []).mayReuse).toBe(false)
  },
)
