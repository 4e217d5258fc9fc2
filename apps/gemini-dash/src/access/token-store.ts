import { createHash, randomBytes } from 'node:crypto'
import type { ExpiryRecords } from './expiry-records.ts'

/**
 * Random secrets of 256 bits that someone may show later. Only their SHA-256 is kept, so neither a copy of the
 * data folder nor the time that a look-up takes tells anything about a secret.
 */
export interface TokenStore {
  issue(): string
  isValid(token: string): boolean
  /** true for exactly one caller, even among several processes; afterwards the token is void. */
  redeem(token: string): boolean
  revoke(token: string): void
}

export function createTokenStore(
  records: ExpiryRecords,
  lifetimeMs: number,
  now: () => number = Date.now,
): TokenStore {
  const isCurrent = (expiresAt: number | null) => expiresAt !== null && expiresAt > now()

  return {
    issue() {
      records.removeExpired(now())
      const token = randomBytes(32).toString('base64url')
      records.add(fingerprint(token), now() + lifetimeMs)
      return token
    },
    isValid: (token) => isCurrent(records.expiryOf(fingerprint(token))),
    redeem(token) {
      const name = fingerprint(token)
      const isUsable = isCurrent(records.expiryOf(name))
      return records.remove(name) && isUsable
    },
    revoke(token) {
      records.remove(fingerprint(token))
    },
  }
}

function fingerprint(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
