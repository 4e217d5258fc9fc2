import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sessionKey, shortKey } from './identity.ts'
import { sha256Hex } from './sha256.ts'

it('gives the digests of the standard test vectors', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256Hex('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  )
})

it('names a project folder as Gemini CLI does', () => {
  expect(sha256Hex('/tmp/demo/webshop')).toBe(
    '450d86cb5b07752d114c216beb33b401a17ea4f3e76f389aed7a81e5c3e0d271',
  )
})

it('agrees with OpenSSL on any text, across the lengths where padding needs another block', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const digest = createHash('sha256').update(text)
      expect(sha256Hex(text)).toBe(digest.copy().digest('hex'))
      expect(shortKey(text)).toBe(digest.digest('base64url').slice(0, 12).replace(/^-/, '_'))
    }),
  )
})

it('S11: no key begins like an option of a command line', () => {
  const keys = Array.from({ length: 2_000 }, (_, index) =>
    sessionKey(String(index), '2026-11-21T20:30:00.000Z'),
  )
  expect(keys.filter((key) => key.startsWith('-'))).toEqual([])
  expect(new Set(keys).size).toBe(keys.length)
})
