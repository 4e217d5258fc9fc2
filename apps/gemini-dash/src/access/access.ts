import { join } from 'node:path'
import { isAway } from '../own-data/data-folder.ts'
import type { ExpiryRecords } from './expiry-records.ts'
import { createFolderRecords, createMemoryRecords } from './expiry-records.ts'
import type { TokenStore } from './token-store.ts'
import { createTokenStore } from './token-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export const SESSION_LIFETIME_MS = 90 * DAY_MS

/** Who may read: a one-time code is exchanged for a browser session. */
export interface Access {
  /** The data folder was moved or deleted: whoever is signed in stays so, and nobody else can be. */
  isAway(): boolean
  /** Stand in the printed URL; work once, for ten minutes. */
  codes: TokenStore
  /** Stand in the cookie of a browser. */
  browserSessions: TokenStore
  /** Let a command of the same user ask the running server; one minute. */
  commandSessions: TokenStore
}

/** `dataFolder: null` keeps everything in memory. */
export function createAccess(dataFolder: string | null, now: () => number = Date.now): Access {
  const records = (name: string): ExpiryRecords =>
    dataFolder === null ? createMemoryRecords() : createFolderRecords(join(dataFolder, name))

  return {
    isAway: () => dataFolder !== null && isAway(dataFolder),
    codes: createTokenStore(records('codes'), 10 * MINUTE_MS, now),
    browserSessions: createTokenStore(records('browser-sessions'), SESSION_LIFETIME_MS, now),
    commandSessions: createTokenStore(records('command-sessions'), MINUTE_MS, now),
  }
}
