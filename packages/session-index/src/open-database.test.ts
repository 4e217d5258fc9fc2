import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MEMORY, openDatabase } from './driver.ts'

/** On Node 20 `auto` is the wasm build as well; on 22.16 and later it is Node's own. */
describe.each(['auto', 'node-sqlite3-wasm'] as const)('openDatabase (%s)', (driver) => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'driver-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps values of every kind, in a file', () => {
    const path = join(folder, 'values.db')
    const written = openDatabase(path, driver)
    written.exec('CREATE TABLE kept (n INTEGER, r REAL, t TEXT, b BLOB, x)')
    written.run(
      'INSERT INTO kept VALUES (?, ?, ?, ?, ?)',
      2 ** 40 + 3,
      0.5,
      'naïve 中文',
      new Uint8Array([0, 255]),
      null,
    )
    written.close()
    const read = openDatabase(path, driver)
    expect(read.get('SELECT * FROM kept')).toEqual({
      n: 2 ** 40 + 3,
      r: 0.5,
      t: 'naïve 中文',
      b: new Uint8Array([0, 255]),
      x: null,
    })
    expect(read.get('SELECT * FROM kept WHERE n = ?', 1)).toBeUndefined()
    read.close()
  })

  it('has the full-text table that the index needs: rows go and come again under their number', () => {
    const database = openDatabase(MEMORY, driver)
    database.exec(
      "CREATE VIRTUAL TABLE text USING fts5(body, content='', contentless_delete=1, tokenize='ascii')",
    )
    const insert = 'INSERT INTO text (rowid, body) VALUES (?, CAST(? AS TEXT))'
    const find = (word: string) => database.all('SELECT rowid AS id FROM text WHERE text MATCH ?', word)
    database.run(insert, 7, Buffer.from('old words'))
    database.run('DELETE FROM text WHERE rowid = ?', 7)
    database.run(insert, 7, Buffer.from('new words'))
    expect(find('old')).toEqual([])
    expect(find('new')).toEqual([{ id: 7 }])
    database.close()
  })

  it('gives rows that can be compared and spread like any object', () => {
    const database = openDatabase(MEMORY, driver)
    expect({ ...database.get('SELECT 1 AS one') }).toEqual({ one: 1 })
    expect(database.driver).toMatch(/sqlite/)
    database.close()
  })
})
