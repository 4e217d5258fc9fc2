import { mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME_PATTERN = /^[0-9a-f]{64}$/

/** Names with an end of life. A name is the hex SHA-256 of a secret, never the secret. */
export interface ExpiryRecords {
  add(name: string, expiresAt: number): void
  /** Unix time in ms, or null for an unknown name. */
  expiryOf(name: string): number | null
  /** true only for the caller that really removed it. */
  remove(name: string): boolean
  removeExpired(now: number): void
}

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

/**
 * One file per name, holding its expiry. Several processes share the folder without a lock:
 * creating and unlinking a file are atomic, and nothing is ever rewritten. Between being created and
 * filled a file is empty: no name is valid then, and nobody removes it.
 */
export function createFolderRecords(folder: string): ExpiryRecords {
  const fileOf = (name: string) => join(folder, name)

  const textOf = (name: string) => {
    try {
      return readFileSync(fileOf(name), 'utf8')
    } catch {
      return ''
    }
  }
  const expiryOf = (name: string) => {
    const text = textOf(name)
    return /^\d+$/.test(text) ? Number(text) : null
  }

  return {
    add(name, expiresAt) {
      // Each time: the folder may be deleted under a running server, to sign every browser out.
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(fileOf(name), String(expiresAt), { mode: 0o600, flag: 'wx' })
    },
    expiryOf,
    remove(name) {
      try {
        unlinkSync(fileOf(name))
        return true
      } catch {
        return false
      }
    },
    removeExpired(now) {
      for (const name of namesIn(folder)) {
        // An empty file is one that another process has created and is just about to fill.
        if (textOf(name) !== '' && (expiryOf(name) ?? 0) <= now) rmSync(fileOf(name), { force: true })
      }
    },
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((entry) => NAME_PATTERN.test(entry))
  } catch {
    return []
  }
}
