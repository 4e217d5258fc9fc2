/** Names with an end of life. A name is the hex SHA-256 of a secret, never the secret. */
export interface ExpiryRecords {
  add(name: string, expiresAt: number): void
  /** Unix time in ms, or null for an unknown name. */
  expiryOf(name: string): number | null
  /** true only for the caller that really removed it. */
  remove(name: string): boolean
  removeExpired(now: number): void
}
