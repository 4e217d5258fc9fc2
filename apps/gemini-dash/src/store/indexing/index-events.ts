import type { IndexGroup } from '@gemini-dash/session-index'
import type { GroupStates } from './group-states.ts'
import type { IndexingOptions } from './indexing-options.ts'

const INTERVAL_MS = 250

/** Tells which sessions have changed and how far all are read, the latter no more often than anybody can look. */
export class IndexEvents {
  readonly #options: IndexingOptions
  readonly #groups: GroupStates
  /** Only of these progress is told; null: of all. */
  #wanted: readonly IndexGroup[] | null = null
  #lastProgressMs = Number.NEGATIVE_INFINITY

  constructor(options: IndexingOptions, groups: GroupStates) {
    this.#options = options
    this.#groups = groups
  }

  set wanted(groups: readonly IndexGroup[] | null) {
    this.#wanted = groups
  }

  changed(groupId: string): void {
    const { catalog, emit } = this.#options
    for (const { summary } of catalog.sessionsOf(groupId)) {
      for (const sessionKey of [summary.key, summary.parentKey]) {
        if (sessionKey !== null) emit({ kind: 'changed', sessionKey, projectKey: summary.project.key })
      }
    }
  }

  /** `isLast`: it must not be left out. */
  progress(isLast = false): void {
    const nowMs = performance.now()
    if (!isLast && nowMs - this.#lastProgressMs < INTERVAL_MS) return
    this.#lastProgressMs = nowMs
    const { filesDone, filesTotal } = this.#groups.progress(this.#wanted)
    this.#options.onProgress(filesDone, filesTotal)
    this.#options.emit({ kind: 'index' })
  }
}
