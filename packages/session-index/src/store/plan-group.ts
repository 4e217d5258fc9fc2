import { isDatabaseError } from '../database/is-database-error.ts'
import type { Database } from '../driver/database.ts'
import { SessionRows } from '../rows/session-rows.ts'
import {
  type PlanRun,
  planSession,
  type SessionPlan,
  type SessionToWrite,
  type StoredSlots,
  type WaitingTexts,
  writeTexts,
} from './plan-session.ts'
import type { StoredSession } from './shard-store.ts'

/** What is to become of the sessions of a group. */
export interface PlannedGroup {
  plans: { stored: StoredSession; plan: SessionPlan }[]
  /** Were stored, and are no more. */
  gone: StoredSession[]
}

interface GroupRun extends Pick<PlanRun, 'files' | 'allocateRow' | 'pause'> {
  /** What is stored of the group. */
  old: readonly StoredSession[]
  newSession: (key: string) => StoredSession
  detailsOf: (number: number) => StoredSlots
  /** Begins a transaction, unless there is one. */
  begin: () => void
}

/** The words of a session of 200 MB are as many bytes again, and each is held but once if it need not wait for the last. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024

/**
 * Plans what is written of each session. Of large ones most texts are written at once; where one cannot be read after all, that is
 * taken back, and so nothing has changed.
 */
export async function planGroup(
  database: Database,
  sessions: readonly SessionToWrite[],
  run: GroupRun,
): Promise<PlannedGroup> {
  let isEarly = false
  const writeEarly = async (texts: WaitingTexts): Promise<void> => {
    const waiting = texts.insertions.reduce((sum, { words }) => sum + words.length, 0)
    if (waiting < MOST_WAITING_BYTES) return
    if (!isEarly) {
      run.begin()
      database.exec('SAVEPOINT early')
      isEarly = true
    }
    await writeTexts(database, texts, run.pause)
  }
  const left = new Map(run.old.map((stored) => [stored.key, stored]))
  const plans: PlannedGroup['plans'] = []
  try {
    for (const toWrite of sessions) {
      const { key } = toWrite.session
      const known = left.get(key)
      left.delete(key)
      const old = known === undefined ? NOTHING : run.detailsOf(known.number)
      const stored = known ?? run.newSession(key)
      plans.push({ stored, plan: await planSession(toWrite, { ...run, old, writeEarly }) })
    }
  } catch (error) {
    // A database that failed is replaced.
    if (isEarly && !isDatabaseError(error)) database.exec('ROLLBACK TO early; RELEASE early')
    throw error
  }
  if (isEarly) database.exec('RELEASE early')
  return { plans, gone: [...left.values()] }
}

const NOTHING: StoredSlots = { slots: [], rows: new SessionRows(0) }
