import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { readDatabase } from '../../src/database/read-database.ts'

const READINGS = 60
/** Different commits to be seen; on a busy machine many readings may come between two of them. */
const COMMITS = 4

/** Each commit writes its number into every row and adds one: a reading is from one commit if all rows agree with their count. */
const WRITER = `
const { parentPort, workerData } = require('node:worker_threads')
const sqlite = require(workerData.sqlite)
const database = new sqlite.Database(workerData.path)
for (const setting of ['locking_mode=EXCLUSIVE', 'journal_mode=WAL', 'wal_autocheckpoint=0', 'synchronous=OFF'])
  database.exec('PRAGMA ' + setting)
database.exec('CREATE TABLE steps (idx integer PRIMARY KEY, commits integer, filling blob)')
const modes = ['PASSIVE', 'RESTART', 'TRUNCATE', 'FULL']
let isOver = false
parentPort.on('message', () => { isOver = true })
let commits = 0
function commit() {
  commits++
  database.exec('BEGIN')
  database.exec('INSERT INTO steps VALUES (NULL, 0, zeroblob(' + ((commits * 977) % 9000) + '))')
  database.exec('DELETE FROM steps WHERE idx <= ' + (commits - 40))
  database.exec('UPDATE steps SET commits = ' + commits)
  database.exec('COMMIT')
  if (commits % 7 === 0) database.exec('PRAGMA wal_checkpoint(' + modes[(commits / 7) % 4] + ')')
  if (commits === 1) parentPort.postMessage('begun')
  if (!isOver) return setImmediate(commit)
  database.close()
  parentPort.close()
}
commit()
`

it('reads one commit at a time beside a writer with checkpoints, each no older than the last', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'live-'))
  const path = join(folder, 'live.db')
  const sqlite = createRequire(import.meta.url).resolve('node-sqlite3-wasm')
  const writer = new Worker(WRITER, { eval: true, workerData: { path, sqlite } })
  const ended = once(writer, 'exit')
  try {
    await once(writer, 'message')
    const seen: number[] = []
    const isEnough = () => seen.length >= READINGS && new Set(seen).size >= COMMITS
    while (!isEnough()) {
      const reading = await readDatabase(path, ({ tables }) => {
        const rows = [...(tables.get('steps')?.rows() ?? [])].map(({ rowid, value }) => [
          rowid,
          value('commits'),
        ])
        return {
          count: rows.length,
          last: rows.at(-1)?.[0],
          commits: new Set(rows.map(([, number]) => number)),
        }
      })
      // lets the writer go on
      await setTimeout(1)
      if (reading.state === 'moving') continue
      if (reading.state !== 'read') throw new Error(JSON.stringify(reading))
      const { count, last, commits } = reading.value
      const commit = Number([...commits][0])
      expect({ count, last, commits: commits.size }).toEqual({
        count: Math.min(commit, 40),
        last: commit,
        commits: 1,
      })
      expect(commit).toBeGreaterThanOrEqual(seen.at(-1) ?? 0)
      seen.push(commit)
    }
    expect(readdirSync(folder).filter((name) => !name.endsWith('.lock'))).toEqual(['live.db', 'live.db-wal'])
  } finally {
    writer.postMessage('end')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
})
