import type { SessionSummary } from 'gemini-sessions'
import type { ExaminedSession } from '../facts/examined-session.ts'
import { cleanedFolders, planCleanUp } from './plan-clean-up.ts'
import type { RetentionRule } from './retention-rule.ts'
import { firstOfEach } from './review-retention.ts'

type Sessions = ReadonlyMap<string, ExaminedSession>

interface Folder {
  /** That have a file in it, by key. */
  sessions: Map<string, ExaminedSession>
  /** When the first file goes that holds something of a session, by key. */
  dueMs: ReadonlyMap<string, number>
}

const NOTHING_DUE: ReadonlyMap<string, number> = new Map()

/** When the CLI deletes each session. It cleans folder by folder, so only folders in which a row has changed are planned again. */
export class FolderPlans {
  #rules = ''
  readonly #folders = new Map<string, Folder>()
  /** What was planned, by key. */
  readonly #planned = new Map<string, { session: ExaminedSession; folders: readonly string[] }>()

  /** In ms: a time in the past where the next start of the CLI deletes it; null where it stays. As of the last update. */
  dueMs(key: string): number | null {
    let due: number | null = null
    for (let asked: string | null = key; asked !== null && due === null; ) {
      const planned = this.#planned.get(asked)
      due = this.#ownDueMs(asked, planned?.folders ?? [])
      // the folder with its sub-agents goes with a session
      const parentKey: string | null = planned?.session.summary.parentKey ?? null
      asked = parentKey === asked ? null : parentKey
    }
    return due
  }

  update(rules: ReadonlyMap<string, RetentionRule>, sessions: Sessions): void {
    const told = JSON.stringify([...rules])
    if (told !== this.#rules) {
      this.#rules = told
      this.#folders.clear()
      this.#planned.clear()
    }
    const changed = new Set<string>()
    for (const [key, session] of sessions) {
      if (isPlannedAs(this.#planned.get(key)?.session.summary, session.summary)) continue
      this.#takeOut(key, changed)
      this.#putIn(key, session, changed)
    }
    if (this.#planned.size > sessions.size)
      for (const key of this.#planned.keys()) if (!sessions.has(key)) this.#takeOut(key, changed)
    for (const name of changed) this.#plan(name, rules)
  }

  #takeOut(key: string, changed: Set<string>): void {
    for (const name of this.#planned.get(key)?.folders ?? []) {
      this.#folders.get(name)?.sessions.delete(key)
      changed.add(name)
    }
    this.#planned.delete(key)
  }

  #putIn(key: string, session: ExaminedSession, changed: Set<string>): void {
    const folders = cleanedFolders(session.summary)
    this.#planned.set(key, { session, folders })
    for (const name of folders) {
      const folder = this.#folders.get(name) ?? { sessions: new Map(), dueMs: NOTHING_DUE }
      this.#folders.set(name, folder)
      folder.sessions.set(key, session)
      changed.add(name)
    }
  }

  #plan(name: string, rules: ReadonlyMap<string, RetentionRule>): void {
    const folder = this.#folders.get(name)
    if (folder === undefined) return
    const planned = planCleanUp([...folder.sessions.values()], rules).filter(
      ({ cleaned }) => cleaned.folder === name,
    )
    folder.dueMs = new Map(
      firstOfEach(planned).map(({ cleaned, dueMs }) => [cleaned.session.summary.key, dueMs]),
    )
    if (folder.sessions.size === 0) this.#folders.delete(name)
  }

  #ownDueMs(key: string, folders: readonly string[]): number | null {
    const due = folders.flatMap((name) => this.#folders.get(name)?.dueMs.get(key) ?? [])
    return due.length === 0 ? null : Math.min(...due)
  }
}

/** All that the clean-up goes by is as it was. Rows are made anew when others are linked, their files are not. */
function isPlannedAs(planned: SessionSummary | undefined, now: SessionSummary): boolean {
  return (
    planned === now ||
    (planned?.files === now.files &&
      planned.lastUpdated === now.lastUpdated &&
      planned.endTime === now.endTime &&
      planned.kind === now.kind &&
      planned.buried === now.buried &&
      planned.parentKey === now.parentKey)
  )
}
