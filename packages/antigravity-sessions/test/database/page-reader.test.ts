import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../fixtures/seeded-random.ts'
import { memorySource } from '../../src/database/byte-source.ts'
import { openTables, readDatabase, SqliteTable, type SqliteTables } from '../../src/database/read-database.ts'
import { DatabaseDamage } from '../../src/database/table-tree.ts'
import { comparable, makeRandomDatabase } from './random-database.ts'

/** `DATABASES=200 DATABASE_FLIPS=2000 npx vitest run …` for the full run. */
const DATABASES = Number(process.env.DATABASES ?? 8)
const FLIPS = Number(process.env.DATABASE_FLIPS ?? 200)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the page reader', () => {
  it('reads what SQLite reads, in random databases, and leaves nothing behind', async () => {
    for (let seed = 1; seed <= DATABASES; seed++) {
      const place = join(folder, String(seed))
      const { path, tables, description } = makeRandomDatabase(place, seed)
      const before = readdirSync(place)
      for (const [name, rows] of tables) {
        const reading = await readDatabase(path, (database) => readRows(database, name))
        expect(reading, `${description}, ${name}`).toEqual({ state: 'read', value: rows })
      }
      expect(readdirSync(place)).toEqual(before)
      rmSync(place, { recursive: true })
    }
  })

  it('finds single rows by their numbers, and parts of long values', async () => {
    const { path, tables } = makeRandomDatabase(folder, 4)
    const rows = tables.get('steps') ?? []
    const middle = rows[Math.floor(rows.length / 2)]
    const reading = await readDatabase(path, (database) => {
      const table = database.tables.get('steps')
      const found = table?.seek(Number(middle?.[0]))
      const part = found?.part('payload', 3, 9).toString('base64')
      return {
        part,
        last: table?.seek(Number.POSITIVE_INFINITY)?.rowid,
        before: table?.seek(Number.NEGATIVE_INFINITY),
        between: table?.seek(Number(middle?.[0]) + 0.5)?.rowid,
      }
    })
    expect(reading).toEqual({
      state: 'read',
      value: {
        part: Buffer.from(String(middle?.[3]), 'base64').subarray(3, 9).toString('base64'),
        last: rows.at(-1)?.[0],
        before: null,
        between: middle?.[0],
      },
    })
  })

  it('ends at damage, whatever it is, with rows that were written or with an error', () => {
    const random = seededRandom(7)
    const outcomes = { read: 0, damaged: 0 }
    for (let seed = 1; seed <= FLIPS / 50; seed++) {
      const place = join(folder, String(seed))
      const { path } = makeRandomDatabase(place, seed + 1000)
      const file = readFileSync(path)
      const wal = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : null
      for (let round = 0; round < 50; round++) outcomes[readDamaged(file, wal)]++
      rmSync(place, { recursive: true })
    }
    expect(outcomes.read + outcomes.damaged).toBe(Math.floor(FLIPS / 50) * 50)
    expect(outcomes.damaged).toBeGreaterThan(0)

    function readDamaged(file: Buffer, wal: Buffer | null): 'read' | 'damaged' {
      const damaged = flip(file)
      try {
        const database = openTables(memorySource(damaged), wal && memorySource(flip(wal)))
        for (const name of database.tables.keys()) readRows(database, name)
        return 'read'
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseDamage)
        return 'damaged'
      }
    }

    function flip(bytes: Buffer): Buffer {
      const copy = Buffer.from(
        bytes.subarray(0, random.next() < 0.2 ? random.integer(0, bytes.length) : bytes.length),
      )
      for (let count = random.integer(1, 8); count > 0 && copy.length > 0; count--) {
        // Damage to page headers and chain pointers breaks more than damage to texts.
        const near = random.integer(0, copy.length >> 9) * 512 + random.integer(0, 12)
        const at = random.next() < 0.7 ? Math.min(near, copy.length - 1) : random.integer(0, copy.length - 1)
        copy[at] = (copy[at] ?? 0) ^ (1 << random.integer(0, 7))
      }
      return copy
    }
  })
})

function readRows(database: SqliteTables, name: string): unknown[][] {
  const table = database.tables.get(name)
  const columns = table instanceof SqliteTable ? table.columns : []
  const rows: unknown[][] = []
  for (const row of table?.rows() ?? [])
    rows.push([row.rowid, ...columns.map((column) => comparable(row.value(column)))])
  return rows
}
