import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { z } from 'zod'
import { groupFiles, projectOfGroup, readSessionPath } from '../derive/files.ts'
import {
  type GroupClaims,
  type KeyRecord,
  NO_KEY_RECORD,
  type PlannedFile,
  planKeys,
} from '../derive/identity.ts'
import {
  findDirectories,
  findTouchedPaths,
  findWorkspacePaths,
  guessRoot,
  type PathClue,
} from '../derive/path-clue.ts'
import { findProjectPath, foldersAbove } from '../derive/path-spellings.ts'
import { type FolderEvidence, identifyProjects, type ProjectIdentity } from '../derive/projects.ts'
import { decodeFile, detectEncoding, type FileEncoding } from '../parse/json/encoding.ts'
import {
  readFileNameTime,
  readSessionHead,
  readSessionTail,
  type SessionHead,
} from '../parse/session-file.ts'
import {
  faultCode,
  hashText,
  isLocalPath,
  parseJsonWithComments,
  READ_ONLY_FLAGS,
  readSmallFile,
  TimeSlice,
} from './files.ts'
import { type GeminiHome, HomeReader, readMarker, scanHomes } from './scan/find-homes.ts'
import type { DiscoveredFile, ProjectPlace, Scan } from './scan/scan.ts'

/** What is in some Gemini folders, from names, stat and the first 4 KB of each file: no session is read. */
export interface HomeSurvey {
  scan: Scan
  projects: ProjectIdentity[]
  /** The session files, grouped if they can belong together; the group with the most recently begun file is first. */
  groups: SurveyedGroup[]
}

/** Files of one project and one sessionId, as expected by `readSessionGroup`. */
export interface SurveyedGroup {
  /** `ProjectIdentity.key`. */
  projectKey: string
  files: DiscoveredFile[]
  /** What the files of other groups contribute to their keys. */
  claims?: GroupClaims | undefined
}

/**
 * Finds projects and session files (see `findHomes`); a Gemini folder that does not exist has none. Writes nothing, never rejects.
 * `record`: keys that files already have.
 */
export async function surveyHomes(
  homes: readonly GeminiHome[],
  record: KeyRecord = NO_KEY_RECORD,
): Promise<HomeSurvey> {
  const scan = await scanHomes(homes)
  const heads = await readHeads(scan.files)
  const projects = await nameProjects(homes, scan, heads)
  const keyByFolder = new Map(projects.flatMap(({ key, folders }) => folders.map((folder) => [folder, key])))
  const files = scan.files.map((file) => ({
    file,
    path: file.path,
    projectKey: keyByFolder.get(file.projectFolder) ?? '',
    sessionId: heads.get(file)?.sessionId ?? null,
    projectHash: heads.get(file)?.projectHash,
    movedFrom: heads.get(file)?.movedFrom,
    isKept: file.kept !== undefined,
    start: startOf(file, heads.get(file)),
  }))
  const grouped = [...groupFiles(files)]
  const hashes = new Map(projects.map(({ key, projectHash }) => [key, projectHash]))
  const planned = grouped.flatMap(([groupId, members]) =>
    members.map(({ file, projectKey }) =>
      toPlannedFile(file, heads.get(file), { groupId, projectHash: hashes.get(projectKey) ?? null }),
    ),
  )
  const claims = planKeys(planned, record)
  const groups = grouped.map(([key, members]) => ({
    projectKey: projectOfGroup(key),
    files: members.map(({ file }) => file),
    claims: claims.get(key),
    start:
      members
        .map(({ start }) => start)
        .sort()
        .at(-1) ?? '',
  }))
  groups.sort((a, b) => b.start.localeCompare(a.start))
  return {
    scan,
    projects,
    groups: groups.map(({ projectKey, files, claims }) => ({ projectKey, files, claims })),
  }
}

/** Folders without a marker or registry entry (hash folders up to 0.28) are checked again, by the content of their files. */
async function nameProjects(
  homes: readonly GeminiHome[],
  scan: Scan,
  heads: ReadonlyMap<DiscoveredFile, FileHead>,
): Promise<ProjectIdentity[]> {
  const hints = [...heads].map(
    ([file, head]): ProjectHint => ({ ...head, projectFolder: file.projectFolder }),
  )
  const projects = resolveProjects(homes, scan.projects, hints)
  const found: ProjectHint[] = []
  for (const { path, projectHash, folders } of projects) {
    const [projectFolder] = folders
    if (path !== null || projectFolder === undefined) continue
    const files = scan.files.filter((file) => folders.includes(file.projectFolder))
    const places = scan.projects.filter(({ folder }) => folders.includes(folder))
    const clues = await withRepository(await searchPathClues(projectHash, files, places))
    if (clues.length > 0) found.push({ projectFolder, projectHash: null, directories: [], clues })
  }
  return found.length === 0 ? projects : resolveProjects(homes, scan.projects, [...hints, ...found])
}

/** ISO 8601 UTC: as recorded, else from the file's name; else empty, which sorts last. */
function startOf({ path }: DiscoveredFile, head: FileHead | undefined): string {
  return head?.startTime ?? readFileNameTime(path) ?? ''
}

/** What `planKeys` has to know about a file. `projectHash`: of its folder's project. */
export function toPlannedFile(
  { home, path }: Pick<DiscoveredFile, 'home' | 'path'>,
  head: FileHead | undefined,
  { groupId, projectHash }: { groupId: string; projectHash: string | null },
): PlannedFile {
  const { stem, nameId } = readSessionPath(path)
  const sessionId = head?.sessionId ?? null
  const firstStartTime = head?.firstStartTime ?? null
  return {
    home,
    path,
    groupId,
    start: startKey(sessionId ?? nameId, firstStartTime ?? stem),
    isCertain: sessionId !== null && firstStartTime !== null,
    isProven: projectHash !== null && head?.projectHash === projectHash,
  }
}

/** `sessionKey` with Node's SHA-256: every start needs those of all files. */
function startKey(sessionId: string, birth: string): string {
  const digest = createHash('sha256').update(`${sessionId}\n${birth}`).digest('base64url')
  return digest.slice(0, 12).replace(/^-/, '_')
}

const HEAD_BYTES = 4096
/** For an id not in the first bytes: files written by other tools, with the messages first. */
const LONG_HEAD_BYTES = 64 * 1024

/** The contents of a file's first bytes. */
export interface FileHead extends SessionHead {
  /** `directories` of the file, if they come early enough. */
  directories: string[]
  /** Workspace folders in the injected session context (up to 0.20 and since 0.44). */
  contextPaths: string[]
}

/**
 * The contents of the first 4 KB of each file (64 KB, and the last 64 KB, if they have no id); a file that is gone or unreadable has no
 * entry. Synchronous calls in slices of a few milliseconds: ten times as fast as promises, without blocking the event loop.
 * `onFault` is called for files that cannot be read at the moment, with the error code.
 */
export async function readHeads(
  files: readonly DiscoveredFile[],
  onFault: (file: DiscoveredFile, code: string) => void = () => {},
): Promise<Map<DiscoveredFile, FileHead>> {
  const heads = new Map<DiscoveredFile, FileHead>()
  const slice = new TimeSlice()
  for (const file of files) {
    if (slice.isOver()) await slice.next()
    try {
      heads.set(file, readHead(file))
    } catch (error) {
      const code = faultCode(error)
      if (code !== null) onFault(file, code)
    }
  }
  return heads
}

function readHead(file: DiscoveredFile): FileHead {
  const descriptor = openSync(file.absolutePath, READ_ONLY_FLAGS)
  try {
    const head = readFirst(descriptor, HEAD_BYTES)
    if (head.sessionId !== null || file.sizeBytes <= HEAD_BYTES) return head
    const longHead = readFirst(descriptor, LONG_HEAD_BYTES)
    if (longHead.sessionId !== null || file.sizeBytes <= LONG_HEAD_BYTES) return longHead
    return { ...longHead, ...readTail(descriptor, file.sizeBytes, detectEncoding(headBuffer)) }
  } finally {
    closeSync(descriptor)
  }
}

/** Shared by all files: the contents of a head are copied before the next is read. */
const headBuffer = Buffer.allocUnsafe(LONG_HEAD_BYTES)

function readFirst(descriptor: number, sizeBytes: number): FileHead {
  const bytes = headBuffer.subarray(0, readSync(descriptor, headBuffer, 0, sizeBytes, 0))
  const json = decodeFile(bytes)
  return {
    ...readSessionHead(bytes),
    directories: findDirectories(json),
    contextPaths: findWorkspacePaths(json),
  }
}

function readTail(descriptor: number, sizeBytes: number, encoding: FileEncoding): Partial<FileHead> {
  const buffer = Buffer.allocUnsafe(LONG_HEAD_BYTES)
  const bytesRead = readSync(descriptor, buffer, 0, LONG_HEAD_BYTES, sizeBytes - LONG_HEAD_BYTES)
  const tail = readSessionTail(buffer.subarray(0, bytesRead), encoding)
  if (tail === null) return {}
  // The first prompt is in the head.
  const { firstPrompt: _, ...metadata } = tail
  return metadata
}

const MAX_REGISTRY_BYTES = 16 * 1024 * 1024
const registrySchema = z.object({ projects: z.record(z.string(), z.unknown()) })
const trustedSchema = z.record(z.string(), z.unknown())
/** The last successful reads, used while a file cannot be read, so that names of projects do not disappear. */
const lastRead = new Map<string, string | null>()

/** What a session file contains about its project, as far as it has been read. */
export interface ProjectHint {
  /** `DiscoveredFile.projectFolder`. */
  projectFolder: string
  projectHash: string | null
  /** `directories` of the file. */
  directories: readonly string[]
  /** Workspace folders in its session context. */
  contextPaths?: readonly string[]
  /** Other possible roots. */
  clues?: readonly PathClue[]
}

/**
 * The projects of the scanned folders: a hash folder and a slug folder with the same root are one. Reads only the registries; call it again
 * with more hints as files are read: keys stay, unless a hint proves that two folders are one; paths and names improve.
 */
export function resolveProjects(
  homes: readonly GeminiHome[],
  places: readonly ProjectPlace[],
  hints: readonly ProjectHint[],
): ProjectIdentity[] {
  const known = new Map(homes.map((home) => [home.path, readKnownPaths(home)]))
  const hintsByFolder = new Map<string, ProjectHint[]>()
  for (const hint of hints) {
    const own = hintsByFolder.get(hint.projectFolder)
    if (own) own.push(hint)
    else hintsByFolder.set(hint.projectFolder, [hint])
  }
  const folders = places.map(({ home, folder, name, marker }): FolderEvidence => {
    const own = hintsByFolder.get(folder) ?? []
    return {
      folder,
      name,
      marker,
      registryPaths: known.get(home)?.registry.get(name) ?? [],
      fileHashes: own.flatMap((hint) => hint.projectHash ?? []),
      directories: distinct(own.flatMap((hint) => hint.directories)),
      clues: [
        ...distinct(own.flatMap(({ contextPaths = [] }) => contextPaths)).map(
          (path): PathClue => ({ path, evidence: 'session-context' }),
        ),
        ...own.flatMap(({ clues = [] }) => clues),
      ],
    }
  })
  const roots = [...known.values()].flatMap(({ registry, history }) => [
    ...[...registry.values()].flat(),
    ...history,
  ])
  const trusted = [...known.values()].flatMap((paths) => paths.trusted)
  return identifyProjects(folders, roots, trusted, hashText)
}

function distinct(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}

/** Project roots known in a Gemini folder, other than the markers in its project folders. */
interface KnownPaths {
  /** `projects.json` (0.29+): name of the project's folder -> its root, or several if the file was edited. */
  registry: ReadonlyMap<string, string[]>
  /** Roots in the markers in `history/`, including projects without a session. */
  history: string[]
  /** `trustedFolders.json`: folders the user was asked about, and parent folders trusted instead. */
  trusted: string[]
}

function readKnownPaths(home: GeminiHome): KnownPaths {
  const { data: registry } = registrySchema.safeParse(readJson(`${home.path}/projects.json`))
  const { data: trusted } = trustedSchema.safeParse(readJson(`${home.path}/trustedFolders.json`))
  const pathsBySlug = new Map<string, string[]>()
  for (const [path, slug] of Object.entries(registry?.projects ?? {})) {
    if (typeof slug !== 'string' || path.trim() === '') continue
    pathsBySlug.set(slug, [...(pathsBySlug.get(slug) ?? []), path])
  }
  return { registry: pathsBySlug, history: historyMarkers(home), trusted: Object.keys(trusted ?? {}) }
}

function readJson(path: string): unknown {
  let isRefused = false
  const found = readSmallFile(path, MAX_REGISTRY_BYTES, () => {
    isRefused = true
  })
  const text = isRefused ? (lastRead.get(path) ?? null) : found
  lastRead.set(path, text)
  return text === null ? undefined : parseJsonWithComments(text)
}

function historyMarkers(home: GeminiHome): string[] {
  const history = HomeReader.open({ ...home, tmpPath: `${home.path}/history` }, [])
  const folders = history?.list(`${home.path}/history`).filter((entry) => entry.kind === 'folder') ?? []
  return folders.flatMap((folder) => readMarker(folder.path) ?? [])
}

/** For each file: paths of its project come early, and twice as much took 0.7 s longer for 32 hash folders. */
const MAX_BYTES = 128 * 1024
/** Shared by all files, as for heads: it is decoded before the next file is read. */
const beginningBuffer = Buffer.allocUnsafeSlow(MAX_BYTES)

/** Maximum depth of a repository. */
const MAX_FOLDERS = 12

const MAX_FILES = 8

/** Depends only on the beginnings that were searched. */
export interface SearchedPaths {
  clues: PathClue[]
  /** The common root of the paths in tool calls. */
  guess: PathClue | null
}

/**
 * Possible roots from the newest session files, saved chats and prompt logs of a project, for folders without a marker or registry entry:
 * pass the result of `withRepository` to `resolveProjects` as a hint. Stops at a root proven by `projectHash`. `onFault`: called if a file
 * cannot be read at the moment.
 */
export async function searchPathClues(
  projectHash: string | null,
  files: readonly DiscoveredFile[],
  places: readonly ProjectPlace[] = [],
  onFault: () => void = () => {},
): Promise<SearchedPaths> {
  const loose = places.flatMap(({ logs, checkpoints }) => [...checkpoints, ...(logs === null ? [] : [logs])])
  const newest = [...newestOf(files), ...newestOf(loose)]
  const clues: PathClue[] = []
  const touched: string[][] = []
  const slice = new TimeSlice()
  for (const file of newest) {
    if (slice.isOver()) await slice.next()
    const json = readBeginning(file, onFault)
    const proven = projectHash === null ? null : findProjectPath(projectHash, json, hashText)
    if (proven !== null)
      return { clues: [{ path: proven, evidence: evidenceFor(proven, json), sessions: 1 }], guess: null }
    for (const path of findWorkspacePaths(json))
      clues.push({ path, evidence: 'session-context', sessions: 1 })
    for (const path of findDirectories(json)) clues.push({ path, evidence: 'directories', sessions: 1 })
    touched.push(findTouchedPaths(json))
  }
  return { clues, guess: guessFrom(touched) }
}

/** With the repository of the guess on this computer, which may be created or removed at any time. */
export async function withRepository({ clues, guess }: SearchedPaths): Promise<PathClue[]> {
  if (guess === null) return clues
  const gitRoot = await findGitRoot(guess.path)
  return gitRoot === null
    ? [...clues, guess]
    : [...clues, { ...guess, path: gitRoot, evidence: 'git-root' }, guess]
}

function newestOf(files: readonly DiscoveredFile[]): DiscoveredFile[] {
  return [...files].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_FILES)
}

function evidenceFor(path: string, json: string): PathClue['evidence'] {
  if (findWorkspacePaths(json).includes(path)) return 'session-context'
  return findDirectories(json).includes(path) ? 'directories' : 'tool-arguments'
}

function guessFrom(touched: readonly string[][]): PathClue | null {
  const root = guessRoot(touched.flat())
  if (root === null) return null
  const sessions = touched.filter((paths) => paths.some((path) => path.startsWith(root))).length
  return { path: root, evidence: 'tool-arguments', sessions }
}

/** The repository of this folder on this computer: the nearest folder with `.git` (a file in worktrees). */
async function findGitRoot(folder: string): Promise<string | null> {
  if (!isLocalPath(folder)) return null
  for (const candidate of [folder, ...foldersAbove(folder)].slice(0, MAX_FOLDERS)) {
    const isRoot = await lstat(`${candidate}/.git`).then(
      () => true,
      () => false,
    )
    if (isRoot) return candidate
  }
  return null
}

/** The first text of a session file, enough to contain the paths it is about; empty if it is gone or unreadable. */
function readBeginning(file: DiscoveredFile, onFault: () => void): string {
  try {
    const descriptor = openSync(file.absolutePath, READ_ONLY_FLAGS)
    try {
      const bytesRead = readSync(descriptor, beginningBuffer, 0, Math.min(file.sizeBytes, MAX_BYTES), 0)
      return decodeFile(beginningBuffer.subarray(0, bytesRead))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    onFault()
    return ''
  }
}
