import { chmodSync, rmSync } from 'node:fs'
import { DATABASE_FORMAT } from '../cache-format.ts'
import { type Database, type DriverChoice, MEMORY, openDatabase } from '../driver.ts'
import { verifiesDatabase } from './database-sum.ts'
import { createSchema } from './schema.ts'

/** An error of SQLite itself, from either driver. */
export function isDatabaseError(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'SQLite3Error' || codeOf(error) === 'ERR_SQLITE_ERROR')
}

/** The content of the file is damaged or not ours; a new file in its place fixes that. */
export function isDamage(error: unknown): error is Error {
  if (isDatabaseError(error)) return /malformed|not a database|corrupt/i.test(error.message)
  return error instanceof Error && (/\bJSON\b/.test(error.message) || error.name === 'ZodError')
}

/** WebAssembly stopped in the middle of an operation, so its memory can no longer be trusted. */
export function isTrap(error: unknown): error is Error {
  return error instanceof Error && error.name === 'RuntimeError'
}

/** Another thread may succeed: one that could not load a module because of too many open files never can. */
export function isThreadFault(error: unknown): error is Error {
  return (
    isTrap(error) ||
    (error instanceof Error && error.name !== 'ReadFault' && /^(EMFILE|ENFILE)$/.test(String(codeOf(error))))
  )
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}

/**
 * Opens the database file of a shard, or creates it. Replaces a file that is damaged in any byte, was written for another place or by
 * another version, or is not a database: it is a cache. The caller owns the folder, so a lock left behind by a killed process belongs to
 * nobody. Throws if the folder is not writable.
 */
export function openShardDatabase(path: string, driver: DriverChoice, folderId: string): Database {
  rmSync(`${path}.lock`, { recursive: true, force: true })
  return openExisting(path, driver, folderId) ?? openNew(path, driver)
}

export function openMemoryDatabase(driver: DriverChoice): Database {
  const database = openDatabase(MEMORY, driver)
  createSchema(database)
  return database
}

export function removeShardDatabase(path: string): void {
  for (const end of ['', '.sum', '.sum.new', '-journal', '-wal', '-shm', '.lock']) {
    rmSync(`${path}${end}`, { recursive: true, force: true })
  }
}

function openExisting(path: string, driver: DriverChoice, folderId: string): Database | null {
  let database: Database | null = null
  try {
    database = openTuned(path, driver)
    // Reading also rolls back the unfinished transaction of a killed process.
    const isOurs = database.get('PRAGMA user_version')?.user_version === DATABASE_FORMAT
    if (isOurs && verifiesDatabase(path, folderId)) return database
  } catch {
    // Not a database: created below.
  }
  closeQuietly(database)
  return null
}

function openNew(path: string, driver: DriverChoice): Database {
  removeShardDatabase(path)
  const database = openTuned(path, driver)
  createSchema(database)
  chmodSync(path, 0o600)
  return database
}

/**
 * The rollback journal makes a kill at any moment harmless; a power failure may cost the cache, never the sessions. A commit waits for
 * other programs that read the file.
 */
function openTuned(path: string, driver: DriverChoice): Database {
  const database = openDatabase(path, driver)
  database.exec(`
    PRAGMA page_size = 16384;
    PRAGMA journal_mode = TRUNCATE;
    PRAGMA synchronous = NORMAL;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -16384;
    PRAGMA busy_timeout = 2000;
  `)
  return database
}

function closeQuietly(database: Database | null): void {
  try {
    database?.close()
  } catch {
    // Even this can fail on a damaged file.
  }
}
