import type { Database } from '../../driver/database.ts'
import type { SessionPlan } from './plan-session.ts'
import type { StoredSession } from './shard-store.ts'

/** Writes a session's record and those of its texts that changed. */
export async function writePlan(
  database: Database,
  { number, groupId, key }: StoredSession,
  plan: SessionPlan,
  pause: () => Promise<void>,
): Promise<void> {
  for (const document of plan.deletions) database.run(DELETE_TEXT, document)
  for (const { document, words } of plan.insertions) {
    database.run(INSERT_TEXT, document, words)
    await pause()
  }
  database.run(INSERT_SESSION, number, groupId, key, JSON.stringify(plan.record), JSON.stringify(plan.slots))
  database.run(INSERT_ROWS, number, plan.rows.bytes)
}

const DELETE_TEXT = 'DELETE FROM text WHERE rowid = ?'
const INSERT_TEXT = 'INSERT INTO text (rowid, words) VALUES (?, CAST(? AS TEXT))'
const INSERT_SESSION =
  'INSERT OR REPLACE INTO session (number, group_id, key, record, slots) VALUES (?, ?, ?, ?, ?)'
const INSERT_ROWS = 'INSERT OR REPLACE INTO session_rows (number, rows) VALUES (?, ?)'
