import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolderRecords, createMemoryRecords, createTokenStore } from './access.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  ['in memory', () => createMemoryRecords()],
  ['in a folder', () => createFolderRecords(mkdtempSync(join(folder, 'tokens-')))],
])('tokens %s', (_where, createRecords) => {
  test('are valid until they expire, are redeemed or revoked', () => {
    let time = 0
    const tokens = createTokenStore(createRecords(), 1000, () => time)
    const [kept, redeemed, revoked] = [tokens.issue(), tokens.issue(), tokens.issue()]
    expect([kept, redeemed, revoked].map(tokens.isValid)).toEqual([true, true, true])

    expect([tokens.redeem(redeemed), tokens.redeem(redeemed)]).toEqual([true, false])
    tokens.revoke(revoked)
    expect([kept, redeemed, revoked].map(tokens.isValid)).toEqual([true, false, false])

    time = 1000
    expect([tokens.isValid(kept), tokens.redeem(kept)]).toEqual([false, false])
  })

  test('are counted while they are valid, and revoked together', () => {
    let time = 0
    const tokens = createTokenStore(createRecords(), 1000, () => time)
    tokens.issue()
    time = 500
    const [one, other] = [tokens.issue(), tokens.issue()]
    expect(tokens.count()).toBe(3)
    time = 1200
    expect(tokens.count()).toBe(2)
    tokens.revokeAll()
    expect([tokens.count(), tokens.isValid(one), tokens.isValid(other)]).toEqual([0, false, false])
  })

  test('R7: hold 256 bits and are never alike', () => {
    const tokens = createTokenStore(createRecords(), 1000)
    const issued = Array.from({ length: 50 }, () => tokens.issue())
    expect(new Set(issued).size).toBe(50)
    for (const token of issued) expect(Buffer.from(token, 'base64url').length).toBe(32)
  })
})

describe('a folder of tokens', () => {
  test('is shared by processes: issued by one, redeemed once by another', () => {
    const shared = join(folder, 'shared')
    const [one, other] = [0, 1].map(() => createTokenStore(createFolderRecords(shared), 1000))
    const token = one?.issue() ?? ''
    expect([other?.redeem(token), one?.redeem(token)]).toEqual([true, false])
  })

  test('is not cleared of what another process has created and not yet filled', () => {
    const place = join(folder, 'half-made')
    const tokens = createTokenStore(createFolderRecords(place), 1000)
    tokens.issue()
    const halfMade = join(place, 'ab'.repeat(32))
    writeFileSync(halfMade, '')
    tokens.issue()
    expect(existsSync(halfMade)).toBe(true)
    writeFileSync(halfMade, '0')
    tokens.issue()
    expect(existsSync(halfMade)).toBe(false)
  })

  test('is cleared of what expired, and may be deleted at any time', () => {
    let time = 0
    const place = join(folder, 'cleared')
    const tokens = createTokenStore(createFolderRecords(place), 1000, () => time)
    tokens.issue()
    time = 2000
    const token = tokens.issue()
    expect(readdirSync(place).length).toBe(1)

    rmSync(place, { recursive: true })
    expect(tokens.isValid(token)).toBe(false)
    expect(tokens.isValid(tokens.issue())).toBe(true)
  })
})
