import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isAway, openDataFolder } from './own-data/data-folder.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export const SESSION_LIFETIME_MS = 90 * DAY_MS

/** Authorizes browsers and commands: a one-time code is exchanged for a browser session. */
export interface Access {
  /** Why no browser can be signed in right now, as a sentence for the user; null if one can. */
  hindrance: () => string | null
  /** Part of the printed URL. Each works once, within ten minutes. */
  codes: TokenStore
  /** Stored in a browser's cookie. */
  browserSessions: TokenStore
  /** Let a command of the same user query the running server; valid for one minute. */
  commandSessions: TokenStore
}

/**
 * With `dataFolder: null` everything is kept in memory, in what `inMemory` creates. `isServer`: what has been read stays valid for the
 * lifetime of the process, even if the folder becomes unavailable.
 */
export function createAccess(
  dataFolder: string | null,
  {
    now = Date.now,
    isServer = false,
    inMemory = () => createMemoryRecords(),
  }: { now?: () => number; isServer?: boolean; inMemory?: (name: string) => ExpiryRecords } = {},
): Access {
  const records = (name: string): ExpiryRecords =>
    dataFolder === null ? inMemory(name) : createFolderRecords(join(dataFolder, name), { isServer })

  return {
    hindrance: () =>
      dataFolder !== null && isAway(dataFolder)
        ? 'Sign-in is unavailable: the data folder of gemini-dash was moved or deleted. Move it back, or restart gemini-dash.'
        : null,
    codes: createTokenStore(records('codes'), 10 * MINUTE_MS, now),
    browserSessions: createTokenStore(records('browser-sessions'), SESSION_LIFETIME_MS, now),
    commandSessions: createTokenStore(records('command-sessions'), MINUTE_MS, now),
  }
}

const NAME_PATTERN = /^[0-9a-f]{64}$/

/** Names with an expiry time. A name is the hex SHA-256 of a secret, never the secret. */
export interface ExpiryRecords {
  add(name: string, expiresAt: number): void
  /** Unix time in ms, or null for an unknown name. */
  expiryOf(name: string): number | null
  /** true only for the caller that actually removed it. */
  remove(name: string): boolean
  removeExpired(now: number): void
  /** All names, including expired ones. */
  names(): string[]
}

/** For `--no-cache`: nothing survives the process. `onChange` is called for each change, with null when the name becomes void. */
export function createMemoryRecords(
  known: Iterable<[name: string, expiresAt: number]> = [],
  onChange: (name: string, expiresAt: number | null) => void = () => {},
): ExpiryRecords {
  const records = new Map(known)

  return {
    add(name, expiresAt) {
      records.set(name, expiresAt)
      onChange(name, expiresAt)
    },
    expiryOf: (name) => records.get(name) ?? null,
    remove(name) {
      onChange(name, null)
      return records.delete(name)
    },
    removeExpired(now) {
      for (const [name, expiresAt] of records) {
        if (expiresAt > now) continue
        records.delete(name)
        onChange(name, null)
      }
    },
    names: () => [...records.keys()],
  }
}

/**
 * One file per name, holding its expiry, in a folder of the data folder. Several processes share the folder without a lock: creating and
 * unlinking a file are atomic, and nothing is ever rewritten. Between creation and the first write a file is empty: its name is not valid
 * yet, and nobody removes the file.
 *
 * `isServer`: names that were valid stay valid while the data folder is missing or unreadable, and names that cannot be written are kept
 * for the lifetime of the process. If the data folder exists but a name does not, it was revoked.
 */
export function createFolderRecords(folder: string, { isServer = false } = {}): ExpiryRecords {
  const fileOf = (name: string) => join(folder, name)
  const known = new Map<string, number>()
  const unwritten = new Set<string>()
  const removed = new Set<string>()

  /** null if the file is missing or malformed. */
  const writtenExpiry = (name: string): number | null => {
    try {
      const text = readFileSync(fileOf(name), 'utf8')
      return /^\d+$/.test(text) ? Number(text) : null
    } catch {
      return null
    }
  }
  const isTakenAway = (name: string) =>
    !unwritten.has(name) && !isAway(dirname(folder)) && !existsSync(fileOf(name))

  const expiryOf = (name: string): number | null => {
    if (removed.has(name)) return null
    const written = writtenExpiry(name)
    if (written !== null) known.set(name, written)
    else if (isTakenAway(name)) known.delete(name)
    return isServer ? (known.get(name) ?? null) : written
  }
  if (isServer) for (const name of namesIn(folder)) expiryOf(name)

  return {
    add(name, expiresAt) {
      try {
        // On every call: the user may delete the folder under a running server to sign out all browsers.
        openDataFolder(dirname(folder))
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(fileOf(name), String(expiresAt), { mode: 0o600, flag: 'wx' })
      } catch (error) {
        if (!isServer) throw error
        unwritten.add(name)
      }
      known.set(name, expiresAt)
    },
    expiryOf,
    remove(name) {
      const wasKnown = isServer && !removed.has(name) && (unwritten.has(name) || isAway(dirname(folder)))
      // stays void even if the folder comes back with its file
      removed.add(name)
      unwritten.delete(name)
      try {
        unlinkSync(fileOf(name))
        known.delete(name)
        return true
      } catch {
        return known.delete(name) && wasKnown
      }
    },
    removeExpired(now) {
      for (const [name, expiresAt] of known) if (expiresAt <= now) known.delete(name)
      for (const name of namesIn(folder)) {
        const expiresAt = writtenExpiry(name)
        // Another process has created an empty file and is about to write to it.
        if (expiresAt === null ? isFilled(fileOf(name)) : expiresAt <= now)
          rmSync(fileOf(name), { force: true, recursive: true })
      }
    },
    names: () => [...new Set([...namesIn(folder), ...(isServer ? known.keys() : [])])],
  }
}

function isFilled(file: string): boolean {
  return (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((entry) => NAME_PATTERN.test(entry))
  } catch {
    return []
  }
}

/**
 * Random 256-bit secrets that are presented later. Only their SHA-256 is kept, so neither a copy of the data folder nor the duration of a
 * lookup reveals anything about a secret.
 */
export interface TokenStore {
  issue(): string
  isValid(token: string): boolean
  /** true for exactly one caller, even among several processes; afterwards the token is void. */
  redeem(token: string): boolean
  revoke(token: string): void
  /** Number of valid tokens. */
  count(): number
  revokeAll(): void
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
    count: () => records.names().filter((name) => isCurrent(records.expiryOf(name))).length,
    revokeAll() {
      for (const name of records.names()) records.remove(name)
    },
  }
}

function fingerprint(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
