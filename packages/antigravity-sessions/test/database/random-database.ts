import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { type SeededRandom, seededRandom } from '../../../../fixtures/seeded-random.ts'

/** A database as its files were left, and its contents according to SQLite. */
export interface RandomDatabase {
  path: string
  /** By table: the rows, each with `rowid` first. */
  tables: Map<string, unknown[][]>
  description: string
}

const TABLES = {
  steps: ['idx integer', 'kind text', 'payload blob', 'note', 'PRIMARY KEY (`idx`)'],
  keyed: ['id text DEFAULT "main"', 'data blob', 'PRIMARY KEY (`id`)'],
  plain: ['`a, b` real', '"c""d" integer PRIMARY KEY', "e text DEFAULT '(,)'"],
}

/** Made by SQLite from a seed: page size, auto-vacuum, deletes, overflow, checkpoints of each mode, an uncommitted tail. */
export function makeRandomDatabase(folder: string, seed: number): RandomDatabase {
  const random = seededRandom(seed)
  const live = join(folder, 'live')
  mkdirSync(live, { recursive: true })
  const source = join(live, 'random.db')
  const pageSize = 2 ** random.integer(9, 16)
  const vacuum = random.pick(['NONE', 'FULL', 'INCREMENTAL'])
  const mode = random.pick(['WAL', 'WAL', 'WAL', 'DELETE'])
  const database = new sqlite.Database(source)
  // The wasm build has no shared memory; without other connections it needs none.
  for (const setting of [
    'locking_mode = EXCLUSIVE',
    `page_size = ${pageSize}`,
    `auto_vacuum = ${vacuum}`,
    `journal_mode = ${mode}`,
    'wal_autocheckpoint = 0',
    'cache_size = 10',
    'synchronous = OFF',
    `user_version = ${random.integer(0, 3)}`,
  ])
    database.exec(`PRAGMA ${setting}`)
  for (const [name, columns] of Object.entries(TABLES)) database.exec(`CREATE TABLE \`${name}\` (${columns})`)
  database.exec('CREATE INDEX kinds ON steps (kind)')
  change(database, random, pageSize)
  if (random.next() < 0.3) database.exec('ALTER TABLE steps ADD COLUMN later text DEFAULT NULL')
  change(database, random, pageSize)
  const tables = new Map(Object.keys(TABLES).map((name) => [name, readAll(database, name)]))
  const hasTail = mode === 'WAL' && random.next() < 0.5
  if (hasTail) {
    database.exec('BEGIN')
    for (let index = 0; index < 40; index++) insert(database, random, pageSize)
  }
  const path = join(folder, 'random.db')
  copyFileSync(source, path)
  if (existsSync(`${source}-wal`)) copyFileSync(`${source}-wal`, `${path}-wal`)
  if (hasTail) database.exec('ROLLBACK')
  database.close()
  return { path, tables, description: `seed ${seed}: ${pageSize} ${vacuum} ${mode}` }
}

function change(database: sqlite.Database, random: SeededRandom, pageSize: number): void {
  for (let round = random.integer(1, 12); round > 0; round--) {
    const count = random.integer(1, 8)
    database.exec('BEGIN')
    for (let index = 0; index < count; index++) insert(database, random, pageSize)
    if (random.next() < 0.4) database.exec(`DELETE FROM steps WHERE idx % 5 = ${random.integer(0, 4)}`)
    if (random.next() < 0.2)
      database.exec(`UPDATE keyed SET data = zeroblob(${random.integer(0, 3 * pageSize)})`)
    database.exec(random.next() < 0.1 ? 'ROLLBACK' : 'COMMIT')
    const checkpoint = random.pick([null, null, null, 'PASSIVE', 'FULL', 'RESTART', 'TRUNCATE', 'VACUUM'])
    if (checkpoint === 'VACUUM') database.exec('PRAGMA incremental_vacuum(3)')
    else if (checkpoint !== null) database.exec(`PRAGMA wal_checkpoint(${checkpoint})`)
  }
}

function insert(database: sqlite.Database, random: SeededRandom, pageSize: number): void {
  const size = random.pick([0, 1, 20, pageSize - 40, pageSize, random.integer(0, 4 * pageSize)])
  const blob = Buffer.alloc(Math.min(size, 40_000), random.hex(31))
  const large = BigInt(random.integer(0, 2 ** 31)) * BigInt(random.integer(0, 2 ** 31)) * 2n
  const note = random.pick([null, 0, 1, -1, 127, -32_769, 2 ** 23, -(2 ** 31), 2 ** 40, -large, 0.5, 'ß€😀'])
  const idx = random.pick([null, random.integer(-50, 5000)])
  database.run('INSERT OR REPLACE INTO steps (idx, kind, payload, note) VALUES (?, ?, ?, ?)', [
    idx,
    'k'.repeat(random.pick([0, 3, 300])),
    blob,
    note,
  ])
  database.run('INSERT OR REPLACE INTO keyed VALUES (?, ?)', [random.hex(3), blob])
  database.run('INSERT OR REPLACE INTO plain VALUES (?, ?, ?)', [
    random.pick([1, 2.5, null]),
    random.integer(0, 400),
    'x'.repeat(size % 5000),
  ])
}

function readAll(database: sqlite.Database, table: string): unknown[][] {
  return database
    .all(`SELECT rowid AS "the rowid", * FROM \`${table}\` ORDER BY rowid`)
    .map((row) => Object.values(row).map(comparable))
}

/** The wasm build returns small 64-bit integers as numbers, others as bigint. */
export function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}
