import type { ExpiryRecords } from './expiry-records.ts'

/** For `--no-cache`: nothing survives the process. */
export function createMemoryRecords(): ExpiryRecords {
  const records = new Map<string, number>()

  return {
    add: (name, expiresAt) => void records.set(name, expiresAt),
    expiryOf: (name) => records.get(name) ?? null,
    remove: (name) => records.delete(name),
    removeExpired(now) {
      for (const [name, expiresAt] of records) {
        if (expiresAt <= now) records.delete(name)
      }
    },
  }
}
