import type { IndexedGroup, IndexGroup, ProjectHead } from '@gemini-dash/session-index'
import {
  type GroupClaims,
  groupFiles,
  planKeys,
  projectOfGroup,
  sessionIdOfGroup,
  type UnreadFile,
} from 'gemini-sessions'
import {
  type DiscoveredFile,
  type FileHead,
  type GeminiHome,
  type PathClue,
  type ProjectHint,
  type ProjectIdentity,
  resolveProjects,
  type Scan,
  searchPathClues,
  TimeSlice,
  toPlannedFile,
} from 'gemini-sessions/node'
import type { KeyBook } from '../../own-data/key-book.ts'
import type { PriceBook } from '../../own-data/price-file.ts'
import { groupWrittenMs } from '../catalog/group-files.ts'
import { HeadBook } from '../remembered/head-book.ts'
import { fingerprint } from './fingerprint.ts'

export interface GroupedScan {
  projects: ProjectIdentity[]
  groups: ScannedGroup[]
}

export interface ScannedGroup extends IndexGroup {
  /** `projectKey`: of the project whose folder the file lies in. */
  heads: { file: DiscoveredFile; head: FileHead; projectKey: string }[]
  projectKey: string
}

/** As many files, and of each so much, tells where a project lies that nothing else explains. */
const SEARCHED_FILES = 8
const BEGINNING_BYTES = 256 * 1024

/** Makes groups of what a scan found, by project and sessionId, as the heads of the files tell. */
export class ScanGrouper {
  readonly #homes: GeminiHome[]
  readonly #prices: PriceBook
  readonly #keys: KeyBook
  readonly heads = new HeadBook()
  /** Requests that other sessions count, by group; those of an earlier run until they are reviewed. */
  readonly #billed = new Map<string, GroupClaims['billed']>()
  /** Files of the last look at all whose heads the system refused to read. */
  #refused: UnreadFile[] = []
  /** What searching the files of a project told of its root. */
  readonly #clues = new Map<string, { question: string; clues: PathClue[] }>()

  constructor(homes: GeminiHome[], { prices, keys }: { prices: PriceBook; keys: KeyBook }) {
    this.#homes = homes
    this.#prices = prices
    this.#keys = keys
  }

  /** Takes the heads of files that have not changed since from what an earlier run kept with their rows. */
  prime({ files }: Scan, stored: Iterable<IndexedGroup>): void {
    const fileByPlace = new Map(files.map((file) => [`${file.home}\n${file.path}`, file]))
    for (const group of stored) {
      this.#takeBilled(group)
      const places = group.sessions.flatMap(({ summary }) => summary.files)
      const known = places.flatMap(({ home, path }) => fileByPlace.get(`${home}\n${path}`) ?? [])
      const isUnchanged =
        known.length === places.length && this.knownGroup(group, known).fingerprint === group.fingerprint
      const projectHash = group.sessions.find((record) => record.projectHash !== null)?.projectHash ?? null
      const directories = group.sessions.flatMap((record) => record.directories)
      const head = { sessionId: sessionIdOfGroup(group.id), projectHash, directories }
      for (const file of known) {
        const kept = group.heads?.[file.absolutePath]
        this.heads.takeEarlier(file, { ...head, ...kept }, isUnchanged && kept !== undefined)
      }
    }
  }

  /** The group of these rows, if its files are as they were and an earlier run has recorded their keys. */
  knownGroup(known: IndexedGroup, files: DiscoveredFile[]): IndexGroup {
    const { id } = known
    this.#takeBilled(known)
    const planned = files.map((file) => toPlannedFile(file, undefined, { groupId: id, projectHash: null }))
    return this.#withClaims({ id, files }, planKeys(planned, this.#keys).get(id))
  }

  /** The group with what other sessions count of its requests from now on. */
  billed(group: IndexGroup, billed: GroupClaims['billed']): IndexGroup {
    this.#billed.set(group.id, billed)
    const { billed: _, ...keys } = group.claims ?? {}
    return this.#withClaims(group, keys)
  }

  #takeBilled({ id, sessions }: IndexedGroup): void {
    if (this.#billed.has(id)) return
    const elsewhere = sessions.flatMap(({ summary, billedElsewhere }) =>
      billedElsewhere.length === 0 ? [] : [[summary.key, billedElsewhere] as const],
    )
    if (elsewhere.length > 0) this.#billed.set(id, Object.fromEntries(elsewhere))
  }

  #withClaims({ id, files }: Pick<IndexGroup, 'id' | 'files'>, keys: GroupClaims = {}): IndexGroup {
    const prices = this.#prices.current()
    const billed = this.#billed.get(id)
    const all = { ...keys, ...(billed !== undefined && { billed }) }
    const claims = Object.keys(all).length === 0 ? undefined : all
    return { id, fingerprint: fingerprint(files, prices, claims), files, prices, claims }
  }

  /** To be kept with the rows of these files. */
  headsOf(files: readonly DiscoveredFile[]): Record<string, ProjectHead> {
    return Object.fromEntries(
      files.flatMap((file) => {
        const known = this.heads.known(file)
        if (known === null) return []
        const { projectHash, directories, contextPaths, movedFrom, firstStartTime } = known
        const head = { projectHash, directories, contextPaths, movedFrom, firstStartTime }
        return [[file.absolutePath, head] as const]
      }),
    )
  }

  /** Groups of some files only, which are all of their groups. What their folders are, as far as heads tell. */
  async groupSome(scan: Scan, files: readonly DiscoveredFile[]): Promise<GroupedScan> {
    await this.heads.read(files)
    return this.#toGroups(files, resolveProjects(this.#homes, scan.projects, this.#hintsOf(files)))
  }

  /** Files that were put into groups without their heads being read: to be grouped again when they can be. */
  get refused(): readonly UnreadFile[] {
    return this.#refused
  }

  /** Tries them again. true: at least one says now where it belongs. */
  async readsRefused({ files }: Scan): Promise<boolean> {
    if (this.#refused.length === 0) return false
    const before = new Set(this.#refused.map(({ path }) => path))
    this.#refused = await this.heads.read(files.filter(({ absolutePath }) => before.has(absolutePath)))
    return this.#refused.length < before.size
  }

  async group(scan: Scan): Promise<GroupedScan> {
    this.#refused = await this.heads.read(scan.files)
    return this.#toGroups(scan.files, await this.identify(scan))
  }

  async #toGroups(files: readonly DiscoveredFile[], projects: ProjectIdentity[]): Promise<GroupedScan> {
    const keyByFolder = new Map(
      projects.flatMap(({ key, folders }) => folders.map((folder) => [folder, key])),
    )
    const headed = files.map((file) => {
      const head = this.heads.headOf(file)
      const projectKey = keyByFolder.get(file.projectFolder) ?? ''
      const { sessionId, projectHash, movedFrom } = head
      const isKept = file.kept !== undefined
      return { file, head, path: file.path, projectKey, sessionId, projectHash, movedFrom, isKept }
    })
    const groups: ScannedGroup[] = []
    const grouped = groupFiles(headed)
    const claims = this.#planKeys(grouped, projects)
    const slice = new TimeSlice()
    for (const [id, members] of grouped) {
      if (slice.isOver()) await slice.next()
      const files = members.map(({ file }) => file)
      const group = this.#withClaims({ id, files }, claims.get(id))
      groups.push({ ...group, heads: members, projectKey: projectOfGroup(id) })
    }
    return { projects, groups: groups.sort(newestFirst) }
  }

  #planKeys(
    groups: ReadonlyMap<string, ScannedGroup['heads']>,
    projects: readonly ProjectIdentity[],
  ): ReadonlyMap<string, GroupClaims> {
    const hashes = new Map(projects.map(({ key, projectHash }) => [key, projectHash]))
    const planned = [...groups].flatMap(([groupId, members]) =>
      members.map(({ file, head, projectKey }) =>
        toPlannedFile(file, head, { groupId, projectHash: hashes.get(projectKey) ?? null }),
      ),
    )
    return planKeys(planned, this.#keys)
  }

  /** The projects of a scan whose heads are read. */
  async identify(scan: Scan): Promise<ProjectIdentity[]> {
    const hints = this.#hintsOf(scan.files)
    const projects = resolveProjects(this.#homes, scan.projects, hints)
    const found = await this.#searchPaths(
      projects.filter(({ path }) => path === null),
      scan,
    )
    return found.length === 0 ? projects : resolveProjects(this.#homes, scan.projects, [...hints, ...found])
  }

  #hintsOf(files: readonly DiscoveredFile[]): ProjectHint[] {
    return files.map((file) => {
      const { projectHash, directories, contextPaths } = this.heads.headOf(file)
      return { projectFolder: file.projectFolder, projectHash, directories, contextPaths }
    })
  }

  /** For folders that no marker and no registry explains: what the content of their sessions names. */
  async #searchPaths(unknown: ProjectIdentity[], scan: Scan): Promise<ProjectHint[]> {
    const hints: ProjectHint[] = []
    for (const { key, projectHash, folders } of unknown) {
      const files = scan.files.filter(({ projectFolder }) => folders.includes(projectFolder))
      const places = scan.projects.filter(({ folder }) => folders.includes(folder))
      const saved = places.flatMap(({ checkpoints }) =>
        checkpoints.map(({ absolutePath, mtimeNs }) => `${absolutePath} ${mtimeNs}`),
      )
      const question = [beginningsOf(files), ...saved].join('\n')
      const known = this.#clues.get(key)
      const clues =
        known?.question === question ? known.clues : await searchPathClues(projectHash, files, places)
      this.#clues.set(key, { question, clues })
      const projectFolder = folders[0]
      if (clues.length > 0 && projectFolder !== undefined) {
        hints.push({ projectFolder, projectHash: null, directories: [], clues })
      }
    }
    return hints
  }
}

/**
 * Changes when a search through the beginnings of the files could tell something else: with each new file, and with one
 * that grows as long as it is all beginning. Which of them are the newest counts, too.
 */
function beginningsOf(files: readonly DiscoveredFile[]): string {
  const newest = [...files].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, SEARCHED_FILES)
  return newest
    .map(({ absolutePath, inode, sizeBytes, path, mtimeNs }) =>
      [absolutePath, inode, Math.min(sizeBytes, BEGINNING_BYTES), path.endsWith('.jsonl') || mtimeNs].join(),
    )
    .join('\n')
}

function newestFirst(a: IndexGroup, b: IndexGroup): number {
  return groupWrittenMs(b) - groupWrittenMs(a) || (a.id < b.id ? -1 : 1)
}
