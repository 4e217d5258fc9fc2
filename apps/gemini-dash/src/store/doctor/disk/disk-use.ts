import { DISK_KINDS, type DiskKind, type DiskUse } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import type { Project } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import { type ExaminedSession, toSessionLink } from '../facts/examined-session.ts'
import { type MeasuredFolder, type MeasuredOutput, measureHomes } from './measure-homes.ts'

const MOST_LARGEST = 20
/** No event tells of outputs; who looks at the page sees them after so long. */
const KEPT_MS = 10_000

export interface DiskSources {
  homes: readonly GeminiHome[]
  projects: readonly Pick<Project, 'key' | 'name' | 'path' | 'isPathGone' | 'folders'>[]
  sessions: readonly ExaminedSession[]
}

/** Counts what homes take on disk; a count is good for some seconds, whoever asks. */
export class DiskCount {
  #kept: { untilMs: number; measured: ReturnType<typeof measureHomes> } | null = null

  async use({ homes, projects, sessions }: DiskSources): Promise<DiskUse> {
    // A clock that is set back would keep it for longer.
    const nowMs = performance.now()
    if (this.#kept === null || nowMs > this.#kept.untilMs)
      this.#kept = { untilMs: nowMs + KEPT_MS, measured: measureHomes(homes) }
    const { folders, isComplete } = await this.#kept.measured
    const kinds = sumKinds(folders)
    return {
      sizeBytes: bytesOf(kinds),
      files: kinds.reduce((sum, { files }) => sum + files, 0),
      isComplete,
      kinds,
      projects: byProject(folders, projects),
      largest: largestOutputs(folders, projects, sessions),
    }
  }
}

type Amount = DiskUse['kinds'][number]

function sumKinds(folders: readonly MeasuredFolder[]): Amount[] {
  return DISK_KINDS.flatMap((kind: DiskKind) => {
    const amounts = folders.flatMap((folder) => folder.amounts.get(kind) ?? [])
    if (amounts.length === 0) return []
    const sum = (of: 'sizeBytes' | 'files') => amounts.reduce((total, amount) => total + amount[of], 0)
    return [{ kind, sizeBytes: sum('sizeBytes'), files: sum('files') }]
  })
}

function bytesOf(kinds: readonly Amount[]): number {
  return kinds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

function byProject(
  folders: readonly MeasuredFolder[],
  projects: DiskSources['projects'],
): DiskUse['projects'] {
  const owners = ownersOf(projects)
  const groups = groupBy(folders, ({ folder }) => owners.get(folder)?.key ?? folder)
  return [...groups.values()]
    .map((group) => {
      const kinds = sumKinds(group)
      const folder = group[0]?.folder ?? ''
      const project = owners.get(folder)
      return {
        key: project?.key ?? null,
        name: project?.name ?? folder.slice(folder.lastIndexOf('/') + 1),
        path: project?.path ?? null,
        isPathGone: project?.isPathGone ?? null,
        sizeBytes: bytesOf(kinds),
        kinds,
      }
    })
    .sort((a, b) => b.sizeBytes - a.sizeBytes || (a.name < b.name ? -1 : 1))
}

function ownersOf(
  projects: DiskSources['projects'],
): ReadonlyMap<string, DiskSources['projects'][number] | undefined> {
  return new Map(projects.flatMap((project) => project.folders.map((folder) => [folder, project] as const)))
}

function largestOutputs(
  folders: readonly MeasuredFolder[],
  projects: DiskSources['projects'],
  sessions: readonly ExaminedSession[],
): DiskUse['largest'] {
  const owners = ownersOf(projects)
  const outputs = folders.flatMap(({ folder, outputs }) =>
    outputs.map((output) => ({ ...output, projectKey: owners.get(folder)?.key })),
  )
  const largest = outputs
    .sort((a, b) => b.sizeBytes - a.sizeBytes || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_LARGEST)
  return largest.map(({ path, sizeBytes, sessionId, projectKey }) => {
    const session = findOwner(sessions, { sessionId, projectKey })
    return {
      path,
      sizeBytes,
      ...(session === undefined ? { sessionKey: null, title: null } : toSessionLink(session)),
    }
  })
}

/** Of several sessions of one id, that of the conversation. */
function findOwner(
  sessions: readonly ExaminedSession[],
  { sessionId, projectKey }: Pick<MeasuredOutput, 'sessionId'> & { projectKey: string | undefined },
): ExaminedSession | undefined {
  if (sessionId === null) return undefined
  const owners = sessions.filter(
    ({ summary }) => summary.sessionId === sessionId && summary.project.key === projectKey,
  )
  return owners.find(({ summary }) => summary.kind === 'main') ?? owners[0]
}
