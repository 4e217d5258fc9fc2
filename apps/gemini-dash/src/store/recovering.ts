import type { GroupClaims, SessionSummary } from 'gemini-sessions'
import type { DiscoveredFile, ProjectPlace } from 'gemini-sessions/node'
import type { CatalogSession } from './catalog/catalog.ts'
import type { Library } from './library/library.ts'
import { placesOfProject, placesOfSession } from './projects/places-of-project.ts'

/** A session, with where everything of it lies: in a home, or in copies that were kept. */
export interface RecoverySource {
  summary: SessionSummary
  /** The key that its own files give it. */
  ownKey: string
  /** Of its group: other sessions may be in them. */
  files: readonly DiscoveredFile[]
  /** What decides the keys of its sessions. */
  claims?: GroupClaims | undefined
  /** It was seen growing a moment ago. */
  isLive: boolean
  /** The files of its sub-agents, and theirs. */
  agentFiles: readonly DiscoveredFile[]
  /** Folders of its project, in all homes. */
  places: readonly ProjectPlace[]
  /** Where files beside it may lie: the same, and the folders that it was moved from. */
  besidePlaces: readonly ProjectPlace[]
  /** Folders of all projects. */
  allPlaces: readonly ProjectPlace[]
  /** All session files of all homes. */
  homeFiles: readonly DiscoveredFile[]
  /** Other sessions that have its id and lie in a home. */
  sameId: readonly SessionSummary[]
}

/** What a session could be made whole of. Opens nothing. */
export class Recovering {
  readonly #library: Library

  constructor(library: Library) {
    this.#library = library
  }

  /** null: there is no such session. */
  describe(key: string): RecoverySource | null {
    const { catalog, scan, live } = this.#library
    const sessions = catalog.sessions()
    const session = sessions.get(key)
    const group = session && catalog.sourceOf(session.groupId)
    if (session === undefined || group === undefined) return null
    const { summary } = session
    const agents = descendantsOf(summary, sessions)
    const agentPaths = new Set(
      agents.flatMap(({ files }) => files.map(({ home, path }) => `${home}\n${path}`)),
    )
    return {
      summary,
      ownKey: session.record.summary.key,
      files: group.files,
      claims: group.claims,
      isLive: live.isLive(session),
      agentFiles: scan.files.filter(({ home, path }) => agentPaths.has(`${home}\n${path}`)),
      places: placesOfProject(scan, catalog.projects(), summary.project.key),
      besidePlaces: placesOfSession(scan, catalog.projects(), summary),
      allPlaces: scan.projects,
      homeFiles: scan.files,
      sameId: [...sessions.values()].flatMap(({ summary: other }) => {
        const isSame = other.key !== summary.key && other.sessionId === summary.sessionId
        return isSame && other.kind === 'main' && other.deletedSeen === null ? [other] : []
      }),
    }
  }

  /** Keys of all conversations that share the files of one id with this session, itself among them. */
  runOf(key: string): string[] {
    const { catalog } = this.#library
    const groupId = catalog.sessions().get(key)?.groupId
    const run = groupId === undefined ? [] : catalog.sessionsOf(groupId)
    return run.flatMap(({ summary }) => (summary.key === key || isTalk(summary) ? [summary.key] : []))
  }

  /** Keys of the conversations of a project that lie in a home. */
  talksOf(projectKey: string): string[] {
    return [...this.#library.catalog.sessions().values()].flatMap(({ summary }) =>
      summary.project.key === projectKey && isTalk(summary) ? [summary.key] : [],
    )
  }

  /** A folder named by a hash tells its path to nobody: one that has this hash is kept as what the user says of it. */
  tellPath(home: string, folder: string, path: string): void {
    const { catalog, scan, projects } = this.#library
    const place = scan.projects.find((each) => each.home === home && each.name === folder)
    const project = catalog.projects().find(({ folders }) => place && folders.includes(place.folder))
    if (project?.path !== null) return
    try {
      projects.change(project.key, { path })
    } catch {
      // What cannot be kept can be said again.
    }
  }

  /** After something was written: the rows are those of now. */
  async refresh(): Promise<void> {
    await this.#library.refresh()
    await this.#library.indexing.whenCaughtUp()
  }
}

function isTalk({ kind, deletedSeen, counts, indexed }: SessionSummary): boolean {
  return kind === 'main' && deletedSeen === null && (indexed !== 'full' || (counts?.messages ?? 0) > 0)
}

function descendantsOf(
  { subagentKeys }: SessionSummary,
  sessions: ReadonlyMap<string, CatalogSession>,
): SessionSummary[] {
  const found = new Map<string, SessionSummary>()
  const open = [...subagentKeys]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const summary = sessions.get(next)?.summary
    if (summary === undefined || found.has(next)) continue
    found.set(next, summary)
    open.push(...summary.subagentKeys)
  }
  return [...found.values()]
}
