import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { CONVERSATION_FOLDER } from '@gemini-dash/antigravity-sessions/scan'
import { groupBy } from '@gemini-dash/api/group-by'
import { LIST_PRICES, type PriceOverrides, pricesStamp } from '@gemini-dash/pricing/overrides'
import {
  CACHE_FORMAT,
  type ConversationCopies,
  type FoundFolder,
  type IndexGroup,
  type StoredGroup,
  stampOf,
} from '@gemini-dash/session-index'
import { type GroupClaims, groupFiles, planKeys, projectOfGroup, type UnreadFile } from 'gemini-sessions'
import {
  type DiscoveredFile,
  type FileHead,
  type GeminiHome,
  type LooseFiles,
  type ProjectHint,
  type ProjectIdentity,
  type ProjectPlace,
  resolveProjects,
  type Scan,
  type ScannedConversation,
  type SearchedPaths,
  searchPathClues,
  TimeSlice,
  toPlannedFile,
  withRepository,
} from 'gemini-sessions/node'
import type { KeyRegistry } from '../../own-data/key-registry.ts'
import type { PriceTable } from '../../own-data/price-file.ts'
import { placesOfProject } from '../projects.ts'
import { Heads, NO_HEAD } from './heads.ts'
import { typedLogs } from './scan.ts'

/** Whether each of its files belongs to one session, as with Gemini CLI; false for prompt logs and saved chats. */
export function isOfSessions({ loose }: Pick<IndexGroup, 'loose'>): boolean {
  return loose === undefined || loose.kind === 'conversation'
}

/** Total size of the files of a group. */
export function groupBytes({ files }: Pick<IndexGroup, 'files'>): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** Modification time of the newest of its files; 0 for a group without files. */
export function groupWrittenMs({ files }: Pick<IndexGroup, 'files'>): number {
  return files.reduce((newest, { mtimeMs }) => Math.max(newest, mtimeMs), 0)
}

export interface GroupedScan {
  projects: ProjectIdentity[]
  groups: ScannedGroup[]
  /** Conversations of Antigravity CLI. */
  conversations: IndexGroup[]
}

export interface ScannedGroup extends IndexGroup {
  /** `projectKey`: of the project whose folder contains the file. */
  members: { file: DiscoveredFile; head: FileHead; projectKey: string }[]
  projectKey: string
}

type Grouped = Pick<IndexGroup, 'id' | 'files' | 'loose'>

/** Files found by a scan, by absolute path. */
type FileAt = ReadonlyMap<string, DiscoveredFile>

/** How many files, and how much of each, to search for the path of a project that nothing else reveals. */
const SEARCHED_FILES = 8
const BEGINNING_BYTES = 128 * 1024

/** Groups the files of a scan by project and sessionId, using their heads. */
export class ScanGrouper {
  readonly #homes: GeminiHome[]
  readonly #prices: PriceTable
  readonly #keys: KeyRegistry
  readonly heads = new Heads()
  readonly conversations = new ConversationRegistry()
  /** Requests counted by other sessions, by group; those of an earlier run until they are reviewed. */
  readonly #billed = new Map<string, GroupClaims['billed']>()
  /** Files of the last full scan whose heads could not be read. */
  #refused: UnreadFile[] = []
  /** By the first folder of a project, what a search of its files found about its root; `question`: what it depends on. */
  readonly #searched = new Map<string, { question: string; paths: SearchedPaths }>()

  constructor(homes: GeminiHome[], { prices, keys }: { prices: PriceTable; keys: KeyRegistry }) {
    this.#homes = homes
    this.#prices = prices
    this.#keys = keys
  }

  /** Takes over what an earlier run knew about a group. Returns the group if its files and prices are unchanged, otherwise null. */
  take(stored: StoredGroup, fileAt: FileAt): IndexGroup | null {
    const { id, fingerprint, kind, files: ends, claims } = stored
    if (kind === 'conversation') this.conversations.take(stored)
    else for (const each of ends) this.heads.take(each)
    if (claims?.billed !== undefined && !this.#billed.has(id)) this.#billed.set(id, claims.billed)
    if ((kind !== 'session' && kind !== 'conversation') || fingerprint === null) return null
    const files = ends.flatMap(({ file }) => fileAt.get(file.absolutePath) ?? [])
    const loose = kind === 'conversation' ? conversationOf(id, files) : undefined
    const group = this.#toGroup({ id, files, loose }, claims)
    return group.fingerprint === fingerprint ? group : null
  }

  /** Takes over what an earlier run found in the files of a folder. */
  takeSearched({ folder, searched }: FoundFolder): void {
    if (searched !== null && !this.#searched.has(folder)) this.#searched.set(folder, JSON.parse(searched))
  }

  /** The same, to be stored. */
  searchedIn(folder: string): string | null {
    const found = this.#searched.get(folder)
    return found === undefined ? null : JSON.stringify(found)
  }

  /** The group with the requests that other sessions count from now on. */
  billed(group: IndexGroup, billed: GroupClaims['billed']): IndexGroup {
    this.#billed.set(group.id, billed)
    const { billed: _, ...keys } = group.claims ?? {}
    return this.#withClaims(group, keys)
  }

  #withClaims(group: Grouped, keys: GroupClaims = {}): IndexGroup {
    const billed = this.#billed.get(group.id)
    const all = { ...keys, ...(billed !== undefined && { billed }) }
    return this.#toGroup(group, Object.keys(all).length === 0 ? undefined : all)
  }

  #toGroup({ id, files, loose }: Grouped, claims: GroupClaims | undefined): IndexGroup {
    const prices = this.#prices.current()
    return {
      id,
      fingerprint: fingerprint(files, prices, claims),
      files,
      prices,
      claims,
      ...(loose && { loose }),
    }
  }

  /** Groups some of the files, treating them as complete groups, and identifies their folders as far as heads reveal. */
  async groupSome(scan: Scan, files: readonly DiscoveredFile[]): Promise<GroupedScan> {
    await this.heads.read(files)
    return this.#toGroups(
      scan,
      files,
      resolveProjects(this.#homes, this.#placesOf(scan), this.#hintsOf(scan.files)),
    )
  }

  /** Files that were grouped without their heads: to be grouped again once they can be read. */
  get refused(): readonly UnreadFile[] {
    return this.#refused
  }

  /** Tries them again. true: at least one could be read. */
  async readsRefused({ files }: Scan): Promise<boolean> {
    if (this.#refused.length === 0) return false
    const before = new Set(this.#refused.map(({ path }) => path))
    this.#refused = await this.heads.read(files.filter(({ absolutePath }) => before.has(absolutePath)))
    return this.#refused.length < before.size
  }

  async group(scan: Scan): Promise<GroupedScan> {
    this.#refused = await this.heads.read(scan.files)
    await this.conversations.read(scan.conversations ?? [])
    return this.#toGroups(scan, scan.files, await this.#identify(scan))
  }

  async #toGroups(
    scan: Scan,
    files: readonly DiscoveredFile[],
    projects: ProjectIdentity[],
  ): Promise<GroupedScan> {
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
      groups.push({ ...group, members, projectKey: projectOfGroup(id) })
    }
    const conversations = this.conversations
      .groups(scan.conversations ?? [], projects)
      .map((group) => this.#withClaims(group))
    return {
      projects: withoutLanes(projects),
      groups: groups.sort(newestFirst),
      conversations: conversations.sort(newestFirst),
    }
  }

  #planKeys(
    groups: ReadonlyMap<string, ScannedGroup['members']>,
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
    await this.conversations.read(scan.conversations ?? [])
    return withoutLanes(await this.#identify(scan))
  }

  #placesOf({ projects, conversations = [] }: Scan): ProjectPlace[] {
    return [...projects, ...this.conversations.places(conversations)]
  }

  /** Includes the folders of conversations. */
  async #identify(scan: Scan): Promise<ProjectIdentity[]> {
    const places = this.#placesOf(scan)
    const hints = this.#hintsOf(scan.files)
    const projects = resolveProjects(this.#homes, places, hints)
    const found = await this.#searchPaths(
      projects.filter(({ path }) => path === null),
      scan,
    )
    return found.length === 0 ? projects : resolveProjects(this.#homes, places, [...hints, ...found])
  }

  #hintsOf(files: readonly DiscoveredFile[]): ProjectHint[] {
    return files.map((file) => {
      const { projectHash, directories, contextPaths } = this.heads.headOf(file)
      return { projectFolder: file.projectFolder, projectHash, directories, contextPaths }
    })
  }

  /** For folders without a marker and not in a registry: searches what the content of their sessions names. */
  async #searchPaths(unknown: ProjectIdentity[], scan: Scan): Promise<ProjectHint[]> {
    const hints: ProjectHint[] = []
    for (const { projectHash, folders } of unknown) {
      const [projectFolder] = folders
      if (projectFolder === undefined) continue
      const files = scan.files.filter(({ projectFolder }) => folders.includes(projectFolder))
      const places = scan.projects.filter(({ folder }) => folders.includes(folder))
      const saved = places.flatMap(({ checkpoints }) =>
        checkpoints.map(({ absolutePath, mtimeNs }) => `${absolutePath} ${mtimeNs}`),
      )
      const question = hashOf([projectHash, beginningsOf(files), ...saved].join('\n'))
      const known = this.#searched.get(projectFolder)
      let isRefused = false
      const search = () => searchPathClues(projectHash, files, places, () => (isRefused = true))
      const paths = known?.question === question ? known.paths : await search()
      // What cannot be read now may be readable in the next scan.
      if (!isRefused) this.#searched.set(projectFolder, { question, paths })
      const clues = await withRepository(paths)
      if (clues.length > 0) hints.push({ projectFolder, projectHash: null, directories: [], clues })
    }
    return hints
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/**
 * Changes when a search of the beginnings of the files could have another result: with each new file, and with one that grows while it is
 * shorter than a beginning. It also depends on which of them are newest.
 */
function beginningsOf(files: readonly DiscoveredFile[]): string {
  const newest = [...files].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, SEARCHED_FILES)
  return newest
    .map(({ absolutePath, inode, sizeBytes, path, mtimeNs }) =>
      [absolutePath, inode, Math.min(sizeBytes, BEGINNING_BYTES), path.endsWith('.jsonl') || mtimeNs].join(),
    )
    .join('\n')
}

/** From its id, in the homes of its files. */
function conversationOf(groupId: string, files: readonly DiscoveredFile[]): IndexGroup['loose'] {
  const id = groupId.split('\n')[2] ?? ''
  const homes = [...new Set(files.map(({ home }) => home))]
  return { kind: 'conversation', places: homes.map((home) => placeOfCopy(home, id, files)) }
}

function newestFirst(a: IndexGroup, b: IndexGroup): number {
  return groupWrittenMs(b) - groupWrittenMs(a) || (a.id < b.id ? -1 : 1)
}

/** For conversations without a folder; Gemini CLI never uses a space in a folder name. */
const NO_FOLDER = 'Antigravity CLI'

interface Known {
  inode: string | undefined
  stamp: string
  workspace: string | null
}

/** The working folders of conversations of Antigravity CLI, each read once: by this run or an earlier one. */
class ConversationRegistry {
  /** By home and id. */
  readonly #known = new Map<string, Known>()

  /** Takes over what an earlier run stored about one. */
  take({ files: ends }: StoredGroup): void {
    for (const [home, own] of groupBy(ends, ({ file }) => file.home)) {
      const head = own.find(({ head }) => head !== null)?.head
      if (head?.sessionId == null) continue
      const files = own.map(({ file }) => file)
      const name = nameOf({ home, id: head.sessionId })
      if (!this.#known.has(name))
        this.#known.set(name, { ...identityOf(files), workspace: head.directories[0] ?? null })
    }
  }

  /** Reads the unknown ones. */
  async read(conversations: readonly ScannedConversation[]): Promise<void> {
    if (conversations.length === 0) return
    // most homes have none: load the reader only if needed
    const { folderRecords, readWorkspace } = await import('@gemini-dash/antigravity-sessions')
    for (const conversation of conversations) {
      const { home, id, files } = conversation
      const name = nameOf(conversation)
      const now = identityOf(files)
      const known = this.#known.get(name)
      // Once recorded it does not change; until then each change may reveal it.
      if (
        known !== undefined &&
        (known.workspace === null ? known.stamp === now.stamp : known.inode === now.inode)
      )
        continue
      const { kept, keptDatabase } = placeOfCopy(home, id, files)
      const place = { home: kept?.root ?? home, id, databaseHome: keptDatabase?.root }
      this.#known.set(name, { ...now, workspace: await readWorkspace(place, folderRecords(home)) })
    }
  }

  /** As project folders: one for each folder. */
  places(conversations: readonly ScannedConversation[]): ProjectPlace[] {
    const places = new Map<string, ProjectPlace>()
    for (const conversation of conversations) {
      const folder = this.#folderOf(conversation)
      const marker = this.#workspaceOf(conversation)
      places.set(folder, {
        home: conversation.home,
        folder,
        name: NO_FOLDER,
        marker,
        logs: null,
        checkpoints: [],
      })
    }
    return [...places.values()]
  }

  /** Groups for the index. `projects`: including the folders from `places`. */
  groups(
    conversations: readonly ScannedConversation[],
    projects: readonly ProjectIdentity[],
  ): Required<Pick<IndexGroup, 'id' | 'files' | 'loose'>>[] {
    const keys = new Map(projects.flatMap(({ key, folders }) => folders.map((folder) => [folder, key])))
    const byId = groupBy(conversations, ({ id }) => id)
    return [...byId].map(([id, copies]) => {
      const named = copies.find((copy) => this.#workspaceOf(copy) !== null) ?? copies[0]
      const projectKey = named === undefined ? '' : (keys.get(this.#folderOf(named)) ?? '')
      return {
        id: `${projectKey}\nconversation\n${id}`,
        files: copies.flatMap(({ files }) => files),
        loose: { kind: 'conversation', places: copies.map((copy) => placeOfCopy(copy.home, id, copy.files)) },
      }
    })
  }

  /** Heads to be stored with the files. */
  headsOf({ files, loose }: IndexGroup): Record<string, FileHead> {
    const places = loose?.kind === 'conversation' ? loose.places : []
    return Object.fromEntries(
      places.flatMap(({ home, id }) => {
        const first = files.find((file) => file.home === home)
        const workspace = this.#known.get(nameOf({ home, id }))?.workspace
        if (first === undefined || workspace === undefined) return []
        const directories = workspace === null ? [] : [workspace]
        return [[first.absolutePath, { ...NO_HEAD, sessionId: id, directories }]]
      }),
    )
  }

  #workspaceOf(conversation: ScannedConversation): string | null {
    return this.#known.get(nameOf(conversation))?.workspace ?? null
  }

  #folderOf(conversation: ScannedConversation): string {
    return `${conversation.home}/${CONVERSATION_FOLDER}/${this.#workspaceOf(conversation) ?? NO_FOLDER}`
  }
}

/** Where its files are: in the home, in the archive, or only its database in the archive. */
function placeOfCopy(
  home: string,
  id: string,
  files: readonly DiscoveredFile[],
): ConversationCopies['places'][number] {
  const own = files.filter((file) => file.home === home)
  const gone = own.find(({ kept }) => kept !== undefined)
  if (gone?.kept === undefined) return { home, id }
  const kept = { root: gone.absolutePath.slice(0, -gone.path.length - 1), copy: gone.kept }
  return own.every((file) => file.kept !== undefined) ? { home, id, kept } : { home, id, keptDatabase: kept }
}

/** The same projects with only the folders of Gemini CLI. */
function withoutLanes(projects: readonly ProjectIdentity[]): ProjectIdentity[] {
  return projects.map((project) => ({
    ...project,
    folders: project.folders.filter((folder) => !folder.includes(`/${CONVERSATION_FOLDER}/`)),
  }))
}

function nameOf({ home, id }: { home: string; id: string }): string {
  return `${home}\n${id}`
}

function identityOf(files: readonly DiscoveredFile[]): Pick<Known, 'inode' | 'stamp'> {
  return { inode: files[0]?.inode, stamp: files.map((file) => stampOf(file).join()).join('\n') }
}

/**
 * The state for which everything derived from these files is valid. Changes when any of them is written, replaced, added or removed, when
 * another build would derive other data, when their calls may have other costs, and when their sessions have other keys.
 */
export function fingerprint(
  files: readonly DiscoveredFile[],
  prices: PriceOverrides = LIST_PRICES,
  claims?: GroupClaims,
): string {
  const hash = createHash('sha256').update(`${CACHE_FORMAT}\n${pricesStamp(prices)}\n`)
  const lines = files.map((file) => `${stampOf(file).join('\n')}\n`)
  for (const line of lines.sort()) hash.update(line)
  if (claims !== undefined) hash.update(JSON.stringify(claims))
  return hash.digest('base64url')
}

/**
 * The prompt logs and the saved chats of each project that has any, as groups for the index. Separate, because which prompts are sessions
 * of their own changes with every new session, and chats can be large.
 */
export function looseGroups(scan: Scan, { projects, groups }: GroupedScan): IndexGroup[] {
  const knownIds = new Map<string, Set<string>>()
  for (const { members } of groups) {
    for (const { head, projectKey } of members) {
      // The prompts of a moved session stay in its old project.
      const ids = knownIds.get(projectKey) ?? new Set()
      knownIds.set(projectKey, ids)
      if (head.sessionId !== null) ids.add(head.sessionId)
    }
  }
  return projects.flatMap(({ key }) => {
    const places = placesOfProject(scan, projects, key)
    const ids = [...(knownIds.get(key) ?? [])].sort()
    return [
      ...toGroup(key, {
        kind: 'prompt-logs',
        places: places.filter((place) => typedLogs(place).length > 0),
        projectKey: key,
        knownIds: ids,
      }),
      ...toGroup(key, {
        kind: 'saved-chats',
        places: places.filter(({ checkpoints }) => checkpoints.length > 0),
        projectKey: key,
      }),
    ]
  })
}

function toGroup(projectKey: string, loose: LooseFiles): IndexGroup[] {
  if (loose.places.length === 0) return []
  const files = loose.places.flatMap((place) => filesOf(place, loose.kind))
  const ids = loose.kind === 'prompt-logs' ? loose.knownIds : []
  const stamp = createHash('sha256')
    .update(`${fingerprint(files)} ${ids.join(' ')}`)
    .digest('base64url')
  return [{ id: `${projectKey}\n${loose.kind}`, fingerprint: stamp, files, loose }]
}

function filesOf(place: ProjectPlace, kind: LooseFiles['kind']): DiscoveredFile[] {
  return kind === 'saved-chats' ? place.checkpoints : typedLogs(place)
}

/** The group with one of its files updated; null if that requires a scan: it is gone, or another file. */
export async function restatGroup(group: IndexGroup, absolutePath: string): Promise<IndexGroup | null> {
  const file = group.files.find((candidate) => candidate.absolutePath === absolutePath)
  const stats = await lstat(absolutePath, { bigint: true }).catch(() => null)
  if (file === undefined || stats === null || !stats.isFile() || String(stats.ino) !== file.inode) return null
  const now: DiscoveredFile = {
    ...file,
    sizeBytes: Number(stats.size),
    mtimeMs: Number(stats.mtimeMs),
    mtimeNs: String(stats.mtimeNs),
    ctimeNs: String(stats.ctimeNs),
  }
  const files = group.files.map((candidate) => (candidate === file ? now : candidate))
  const { prices, claims } = group
  return { ...group, fingerprint: fingerprint(files, prices, claims), files }
}
