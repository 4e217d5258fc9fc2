import type { GroupClaims, SessionSummary } from 'gemini-sessions'
import type { DiscoveredFile, ProjectPlace } from 'gemini-sessions/node'
import { placesOfProject, placesOfSession } from './projects.ts'
import { familyOf } from './sync/rows.ts'
import type { Sync } from './sync/sync.ts'

/** A session, with the location of everything that belongs to it: in a home, or in the archive. */
export interface RecoverySource {
  summary: SessionSummary
  /** The key derived from its own files. */
  ownKey: string
  /** Files of its group: they may contain other sessions, too. */
  files: readonly DiscoveredFile[]
  /** What determines the keys of its sessions. */
  claims?: GroupClaims | undefined
  /** It has grown recently. */
  isLive: boolean
  /** The files of its sub-agents, and of theirs. */
  agentFiles: readonly DiscoveredFile[]
  /** Folders of its project, in all homes. */
  places: readonly ProjectPlace[]
  /** Where files beside it may be: the same, and the folders that it was moved from. */
  besidePlaces: readonly ProjectPlace[]
  /** Folders of all projects. */
  allPlaces: readonly ProjectPlace[]
  /** All session files of all homes. */
  homeFiles: readonly DiscoveredFile[]
  /** Other sessions in a home that have the same id. */
  sameId: readonly SessionSummary[]
}

/** Finds what a session could be restored from. Opens no files. */
export class Recovering {
  readonly #sync: Sync

  constructor(sync: Sync) {
    this.#sync = sync
  }

  /** null: no such session. */
  describe(key: string): RecoverySource | null {
    const { rows, scan, live } = this.#sync
    const sessions = rows.sessions()
    const session = sessions.get(key)
    const group = session && rows.sourceOf(session.groupId)
    if (session === undefined || group === undefined) return null
    const { summary } = session
    const [, ...agents] = familyOf(key, sessions)
    const agentPaths = new Set(
      agents.flatMap(({ summary: { files } }) => files.map(({ home, path }) => `${home}\n${path}`)),
    )
    return {
      summary,
      ownKey: session.record.summary.key,
      files: group.files,
      claims: group.claims,
      isLive: live.isLive(session),
      agentFiles: scan.files.filter(({ home, path }) => agentPaths.has(`${home}\n${path}`)),
      places: placesOfProject(scan, rows.projects(), summary.project.key),
      besidePlaces: placesOfSession(scan, rows.projects(), summary),
      allPlaces: scan.projects,
      homeFiles: scan.files,
      sameId: [...sessions.values()].flatMap(({ summary: other }) => {
        const isSame = other.key !== summary.key && other.sessionId === summary.sessionId
        return isSame && other.kind === 'main' && other.deletedSeen === null ? [other] : []
      }),
    }
  }

  /** Keys of all conversations that share the files of one id with this session, including its own. */
  runOf(key: string): string[] {
    const { rows } = this.#sync
    const groupId = rows.sessions().get(key)?.groupId
    const run = groupId === undefined ? [] : rows.sessionsOf(groupId)
    return run.flatMap(({ summary }) => (summary.key === key || isTalk(summary) ? [summary.key] : []))
  }

  /** Keys of a project's conversations that are in a home. */
  talksOf(projectKey: string): string[] {
    return [...this.#sync.rows.sessions().values()].flatMap(({ summary }) =>
      summary.project.key === projectKey && isTalk(summary) ? [summary.key] : [],
    )
  }

  /** The path of a folder named by a hash is unknown: a path with this hash is stored like one that the user entered. */
  tellPath(home: string, folder: string, path: string): void {
    const { rows, scan, projects } = this.#sync
    const place = scan.projects.find((each) => each.home === home && each.name === folder)
    const project = rows.projects().find(({ folders }) => place && folders.includes(place.folder))
    if (project?.path !== null) return
    try {
      projects.change(project.key, { path })
    } catch {
      // If it cannot be stored, it can be entered again.
    }
  }

  /** After a write: brings the rows up to date. */
  async refresh(): Promise<void> {
    await this.#sync.catchUp()
  }
}

function isTalk({ kind, source, deletedSeen, counts, indexed }: SessionSummary): boolean {
  const isOurs = kind === 'main' && source === 'gemini-cli'
  return isOurs && deletedSeen === null && (indexed !== 'full' || (counts?.messages ?? 0) > 0)
}
