import type { SessionSummary } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ExaminedSession } from '../facts/examined-session.ts'
import { FolderPlans } from './folder-plans.ts'
import { findCleanedUp, findDeletionAlone, findRules } from './review-retention.ts'

/** The settings are read again after this: they change rarely, and nothing tells of it. */
const KEPT_MS = 30_000

interface Kept {
  revision: number
  sessions: ReturnType<Catalog['sessions']>
  untilMs: number
  /** Sessions that the CLI has deleted. */
  cleanedUp: ReadonlySet<string>
}

/** Says of rows about to be sent when the CLI deletes them; worked out once for many questions. */
export class DeletionTimes {
  readonly #catalog: Pick<Catalog, 'revision' | 'sessions'>
  readonly #homes: () => readonly GeminiHome[]
  readonly #plans = new FolderPlans()
  #kept: Kept | null = null

  constructor(catalog: Pick<Catalog, 'revision' | 'sessions'>, homes: () => readonly GeminiHome[]) {
    this.#catalog = catalog
    this.#homes = homes
  }

  /** The same row where nothing is new. */
  tell(summary: SessionSummary): SessionSummary {
    const cleanedUp = this.#update()
    if (summary.deletedSeen === null) return withTime(summary, this.#plans.dueMs(summary.key))
    return cleanedUp.has(summary.key) ? { ...summary, deletedBy: 'gemini-cli' } : summary
  }

  /** The row of a session that shares its id with no other, without a look at any other; null: that has to be. */
  tellAlone(session: ExaminedSession): SessionSummary | null {
    if (session.summary.deletedSeen !== null) return null
    const dueMs = findDeletionAlone(this.#homes(), session)
    return dueMs === undefined ? null : withTime(session.summary, dueMs)
  }

  tellAll(summaries: readonly SessionSummary[]): SessionSummary[] {
    return summaries.map((summary) => this.tell(summary))
  }

  #update(): Kept['cleanedUp'] {
    const { revision } = this.#catalog
    const sessions = this.#catalog.sessions()
    // A clock that is set back would keep them for longer.
    const nowMs = performance.now()
    const kept = this.#kept
    if (kept?.revision === revision && kept.sessions === sessions && nowMs < kept.untilMs)
      return kept.cleanedUp
    const rules = findRules(this.#homes())
    this.#plans.update(rules, sessions)
    const cleanedUp = findCleanedUp(rules, [...sessions.values()])
    this.#kept = { revision, sessions, untilMs: nowMs + KEPT_MS, cleanedUp }
    return cleanedUp
  }
}

function withTime(summary: SessionSummary, dueMs: number | null): SessionSummary {
  const deletedAfter = dueMs === null ? null : new Date(dueMs).toISOString()
  return summary.deletedAfter === deletedAfter ? summary : { ...summary, deletedAfter }
}
