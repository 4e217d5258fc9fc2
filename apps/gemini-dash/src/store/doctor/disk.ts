import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { DISK_KINDS, type DiskKind, type DiskUse } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import { isSavedChatName, type Project } from 'gemini-sessions'
import { type GeminiHome, TimeSlice } from 'gemini-sessions/node'
import { type ExaminedSession, toSessionLink } from './facts.ts'

const MOST_LARGEST = 20
/** No event announces outputs; the page shows them after this time. */
const KEPT_MS = 10_000

interface DiskSources {
  homes: readonly GeminiHome[]
  projects: readonly Pick<Project, 'key' | 'name' | 'path' | 'isPathGone' | 'folders'>[]
  sessions: readonly ExaminedSession[]
}

/** Measures the disk usage of homes; a result is reused for some seconds. */
export class DiskCount {
  #kept: { untilMs: number; measured: ReturnType<typeof measureHomes> } | null = null

  async use({ homes, projects, sessions }: DiskSources): Promise<DiskUse> {
    // A wall clock that is set back would keep it for longer.
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

/** If several sessions share an id, the one with the conversation. */
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

/** A folder under `tmp/`, including what its restore points use under `history/`. */
interface MeasuredFolder {
  /** Absolute path under `tmp/`. */
  folder: string
  amounts: Map<DiskKind, { sizeBytes: number; files: number }>
  outputs: MeasuredOutput[]
}

interface MeasuredOutput {
  /** Absolute. */
  path: string
  sizeBytes: number
  /** From the name of its folder; null: it is not in one. */
  sessionId: string | null
}

/** A restore point of a large project has tens of thousands of files; more are not counted. */
const MOST_FILES = 200_000
const MOST_LEVELS = 8
/** Only this many of the largest are listed per folder. */
const MOST_OUTPUTS = 50

const KIND_OF_FOLDER: ReadonlyMap<string, DiskKind> = new Map([
  ['chats', 'logs'],
  ['tool-outputs', 'outputs'],
  ['tool_output', 'outputs'],
  ['images', 'pictures'],
  ['checkpoints', 'restore-points'],
  ['plans', 'plans'],
  ['tracker', 'plans'],
  ['tasks', 'plans'],
  ['logs', 'debug'],
])

/** Counts the files below `tmp/` and `history/` of these homes: names and sizes only; opens no files and follows no links. */
async function measureHomes(
  homes: readonly GeminiHome[],
): Promise<{ folders: MeasuredFolder[]; isComplete: boolean }> {
  const walk = new Walk()
  const folders: MeasuredFolder[] = []
  for (const { path, tmpPath } of homes) {
    for (const entry of walk.list(tmpPath)) {
      if (!entry.isDirectory()) continue
      const measured: MeasuredFolder = {
        folder: `${tmpPath}/${entry.name}`,
        amounts: new Map(),
        outputs: [],
      }
      await walk.count(measured, measured.folder, kindInProject)
      await walk.count(measured, `${path}/history/${entry.name}`, () => 'restore-points')
      measured.outputs.sort((a, b) => b.sizeBytes - a.sizeBytes).splice(MOST_OUTPUTS)
      folders.push(measured)
    }
  }
  return { folders, isComplete: walk.isComplete }
}

type KindOf = (places: readonly string[]) => DiskKind

/** `places`: the names of the folders above the file, and its own. */
function kindInProject(places: readonly string[]): DiskKind {
  const [first = '', second = ''] = places
  if (places.length === 1) {
    if (first === 'logs.json' || isSavedChatName(first)) return 'logs'
    // Versions 0.26 to 0.28 put outputs directly in the project's folder.
    return /\.(txt|output)$/.test(first) ? 'outputs' : 'other'
  }
  if (first === 'chats') return places.length > 2 ? 'subagents' : 'logs'
  // the session's own folder
  return KIND_OF_FOLDER.get(first) ?? (places.length > 2 ? KIND_OF_FOLDER.get(second) : undefined) ?? 'other'
}

class Walk {
  isComplete = true
  readonly #slice = new TimeSlice()
  #files = 0

  list(folder: string): Dirent[] {
    try {
      // do not follow a link, not even one in place of the folder itself
      return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : []
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.isComplete = false
      return []
    }
  }

  async count(
    measured: MeasuredFolder,
    folder: string,
    kindOf: KindOf,
    places: readonly string[] = [],
  ): Promise<void> {
    for (const entry of this.list(folder)) {
      if (this.#slice.isOver()) await this.#slice.next()
      const path = `${folder}/${entry.name}`
      const inner = [...places, entry.name]
      if (entry.isDirectory() && inner.length < MOST_LEVELS) await this.count(measured, path, kindOf, inner)
      else if (entry.isFile() && this.#files < MOST_FILES) this.#add(measured, path, inner, kindOf(inner))
      else if (entry.isFile() || entry.isDirectory()) this.isComplete = false
    }
  }

  #add({ amounts, outputs }: MeasuredFolder, path: string, places: readonly string[], kind: DiskKind): void {
    const sizeBytes = this.#sizeOf(path)
    const amount = amounts.get(kind) ?? { sizeBytes: 0, files: 0 }
    amounts.set(kind, { sizeBytes: amount.sizeBytes + sizeBytes, files: amount.files + 1 })
    this.#files++
    if (kind === 'outputs') outputs.push({ path, sizeBytes, sessionId: ownerOf(places) })
  }

  #sizeOf(path: string): number {
    try {
      return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
    } catch {
      this.isComplete = false
      return 0
    }
  }
}

/** A second session with the same id has `________<n>` appended to its name. */
function ownerOf(places: readonly string[]): string | null {
  return places.length < 3 ? null : (/^session-(.*?)(?:_{8}\d+)?$/.exec(places[1] ?? '')?.[1] ?? null)
}
