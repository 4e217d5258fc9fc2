import type { ProjectList, SessionMark } from '@gemini-dash/api'
import type { Project, SessionSummary } from 'gemini-sessions'
import type { MarkBook } from '../own-data/marks/mark-book.ts'
import type { CatalogSession } from './catalog/catalog.ts'
import type { LiveSessions } from './catalog/live-sessions.ts'
import { liveSummary } from './catalog/live-summary.ts'
import { type KeyResolution, resolveKey } from './catalog/resolve-key.ts'
import type { Library } from './library/library.ts'
import { findProjects } from './projects/find-projects.ts'
import { listProjects } from './projects/list-projects.ts'
import type { SearchScope } from './search/search-scope.ts'
import { toUsageSources, type UsageSource } from './usage/usage-source.ts'

/** The sessions and projects of the catalog as one reader sees them, who knows which of them are being written. */
export class ShownSessions {
  readonly #library: Library
  readonly #live: LiveSessions
  readonly #marks: MarkBook

  constructor(library: Library, live: LiveSessions, marks: MarkBook) {
    this.#library = library
    this.#live = live
    this.#marks = marks
  }

  all(): CatalogSession[] {
    return [...this.#library.catalog.sessions().values()].map((session) => this.show(session))
  }

  show(session: CatalogSession): CatalogSession {
    return this.#live.isLive(session) ? { ...session, summary: liveSummary(session.summary) } : session
  }

  summaries(): SessionSummary[] {
    return this.all().map(({ summary }) => summary)
  }

  usageSources(): UsageSource[] {
    return toUsageSources(this.all())
  }

  resolve(keyOrId: string): KeyResolution {
    const sessions = [...this.#library.catalog.sessions()].map(([key, { summary, ownKeys }]) => ({
      key,
      sessionId: summary.sessionId,
      ownKeys,
    }))
    return resolveKey(sessions, keyOrId)
  }

  /** What was said of sessions, by their keys as they are now; of one that is gone, by that under which it was said. */
  marks(): Map<string, SessionMark> {
    this.#marks.reload()
    const marks = this.#marks.all()
    for (const { summary, ownKeys } of this.#library.catalog.sessions().values()) {
      const said = [summary.key, ...ownKeys].filter((key) => marks.has(key))
      if (said.length === 0) continue
      const mark = this.#marks.of(summary.key, ownKeys)
      for (const key of said) marks.delete(key)
      if (mark !== null) marks.set(summary.key, mark)
    }
    return marks
  }

  projects(): ProjectList {
    const { catalog, projects } = this.#library
    return listProjects(catalog.projects(), this.summaries(), (path) => projects.isPathGone(path))
  }

  project(key: string): Project | null {
    return this.projects().projects.find((project) => project.key === key) ?? null
  }

  findProjects(wanted: string): ReadonlySet<string> {
    return findProjects(this.projects().projects, wanted)
  }

  searchScope(): SearchScope {
    const { catalog, indexing } = this.#library
    const allProjects = () => this.projects().projects
    return {
      sessions: catalog.sessions(),
      // Adds up all sessions, and few searches ask for it.
      get projects() {
        return allProjects()
      },
      isLive: (session) => this.#live.isLive(session),
      notesOf: ({ summary, ownKeys }) => this.#marks.notesOf(summary.key, ownKeys),
      resolve: (keyOrId) => this.resolve(keyOrId),
      coverage: indexing.progress(),
      isReady: indexing.isReady,
    }
  }
}
