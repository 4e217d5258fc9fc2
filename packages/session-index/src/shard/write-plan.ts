import type { Database } from '../driver/database.ts'
import type { SessionPlan } from './plan-session.ts'
import { SEARCH_FIELDS, SLOTS_PER_SESSION } from './schema.ts'
import { encodeTimes } from './session-slots.ts'
import type { StoredSession } from './shard-store.ts'

/** Writes a session's record and those of its texts that changed. */
export async function writePlan(
  database: Database,
  { number, groupId, key }: StoredSession,
  plan: SessionPlan,
  pause: () => Promise<void>,
): Promise<void> {
  const firstRow = number * SLOTS_PER_SESSION
  for (const slot of plan.deletions) database.run(DELETE_TEXT, firstRow + slot)
  for (const { slot, columns } of plan.insertions) {
    database.run(INSERT_TEXT, firstRow + slot, ...columns)
    await pause()
  }
  database.run(
    INSERT_SESSION,
    number,
    groupId,
    key,
    JSON.stringify(plan.record),
    JSON.stringify(plan.slots),
    encodeTimes(plan.times),
  )
}

const DELETE_TEXT = 'DELETE FROM text WHERE rowid = ?'
const INSERT_TEXT = `INSERT INTO text (rowid, ${SEARCH_FIELDS.map((field) => `"${field}"`).join(', ')})
  VALUES (?${', CAST(? AS TEXT)'.repeat(SEARCH_FIELDS.length)})`
const INSERT_SESSION = `INSERT OR REPLACE INTO session (number, group_id, key, record, slots, times)
  VALUES (?, ?, ?, ?, ?, ?)`
