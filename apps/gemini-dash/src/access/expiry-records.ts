import { mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isAway, openDataFolder } from '../own-data/data-folder.ts'

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
 * One file per name, holding its expiry, in a folder of the data folder. Several processes share the folder without a lock:
 * creating and unlinking a file are atomic, and nothing is ever rewritten. Between being created and
 * filled a file is empty: no name is valid then, and nobody removes it. While the data folder is away, names that were valid stay so.
 */
export function createFolderRecords(folder: string): ExpiryRecords {
  const dataFolder = dirname(folder)
  const fileOf = (name: string) => join(folder, name)
  /** As they were read last. */
  const known = new Map<string, number>()
  /** Also of those that come back with the folder. */
  const removed = new Set<string>()

  const textOf = (name: string) => {
    try {
      return readFileSync(fileOf(name), 'utf8')
    } catch {
      return ''
    }
  }
  const expiryOf = (name: string) => {
    if (removed.has(name)) return null
    const text = textOf(name)
    if (/^\d+$/.test(text)) known.set(name, Number(text))
    else if (!isAway(dataFolder)) known.delete(name)
    return known.get(name) ?? null
  }
  for (const name of namesIn(folder)) expiryOf(name)

  return {
    add(name, expiresAt) {
      // Each time: the folder may be deleted under a running server, to sign every browser out.
      openDataFolder(dataFolder)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(fileOf(name), String(expiresAt), { mode: 0o600, flag: 'wx' })
      known.set(name, expiresAt)
    },
    expiryOf,
    remove(name) {
      removed.add(name)
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
