import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { FolderSearch } from '@gemini-dash/api'
import { pathSpellings } from 'gemini-sessions'
import type { GeminiHome, ProjectIdentity } from 'gemini-sessions/node'

const BOUNDS: FolderSearchBounds = { maxFolders: 100_000, maxTimeMs: 20_000 }
/** Folders read at once: enough to keep a disk busy, few enough to leave threads for other work. */
const BATCH = 4
/** Folders of packages, caches and media: large, and they contain no projects. */
const PASSED_BY = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'target',
  'build',
  'dist',
  'out',
  'venv',
  '__pycache__',
  'site-packages',
  'Library',
  'AppData',
  'Applications',
  'Music',
  'Movies',
  'Pictures',
  'Videos',
  'snap',
])

const MAX_GUESSES = 5

export interface FoundFolders {
  /** Number of projects searched for. */
  wanted: number
  /** Confirmed by a hash, by project key. */
  found: Map<string, string>
  /** Named like the project's slug, by project key. */
  guesses: Map<string, string[]>
  looked: FolderSearch['looked']
}

/** Searches this computer for the folders of these projects, in places where people usually keep code. */
export async function findProjectFolders(
  projects: readonly ProjectIdentity[],
  { homes, userHome }: { homes: readonly GeminiHome[]; userHome: string },
  signal: AbortSignal,
  bounds?: FolderSearchBounds,
): Promise<FoundFolders> {
  const places = await searchPlaces(homes, userHome)
  const matcher = folderMatcher(projects)
  const looked = await searchFolders(places, matcher.look, signal, bounds)
  const paths = places.map(({ path }) => path.replaceAll('\\', '/'))
  return {
    wanted: projects.length,
    found: matcher.found,
    guesses: matcher.guesses,
    looked: { places: paths, ...looked },
  }
}

interface FolderMatcher {
  found: Map<string, string>
  guesses: Map<string, string[]>
  look(path: string): 'go on' | 'enough'
}

/** Matches folders against the wanted projects: by hash, which is proof, and by the slug that 0.29+ derives from a folder's name. */
function folderMatcher(projects: readonly ProjectIdentity[]): FolderMatcher {
  const keyOfHash = new Map(projects.flatMap(({ key, hashes }) => hashes.map((hash) => [hash, key] as const)))
  const keyOfSlug = new Map(
    projects.flatMap(({ key, folders }) => folders.map((f) => [slugOf(f), key] as const)),
  )
  const provable = new Set(keyOfHash.values())
  const found = new Map<string, string>()
  const guesses = new Map<string, string[]>()

  function look(path: string): 'go on' | 'enough' {
    const proven = pathSpellings(path).find((spelling) => keyOfHash.has(sha256(spelling)))
    const key = proven === undefined ? undefined : keyOfHash.get(sha256(proven))
    if (proven !== undefined && key !== undefined) {
      found.set(key, proven)
      guesses.delete(key)
    } else guess(path)
    return provable.size === projects.length && found.size === projects.length ? 'enough' : 'go on'
  }

  function guess(path: string): void {
    const key = keyOfSlug.get(toSlug(basename(path)))
    if (key === undefined || found.has(key)) return
    const others = guesses.get(key) ?? []
    if (others.length < MAX_GUESSES) guesses.set(key, [...others, path])
  }

  return { found, guesses, look }
}

/** `shop-2` is the third project called `shop`; a hash is not a slug, and no folder has such a name. */
function slugOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1).replace(/-\d+$/, '')
}

/** As the CLI derives it (0.29+). */
function toSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

interface FolderSearchBounds {
  maxFolders: number
  maxTimeMs: number
}

/**
 * Walks these places level by level and calls `onFolder` once with each folder's path; skips hidden folders and links. Ends when `onFolder`
 * needs no more, at a limit, or on the signal. Only lists folders, opens no files.
 */
async function searchFolders(
  places: readonly SearchPlace[],
  onFolder: (path: string) => 'go on' | 'enough',
  signal: AbortSignal,
  { maxFolders, maxTimeMs }: FolderSearchBounds = BOUNDS,
): Promise<Pick<FolderSearch['looked'], 'folders' | 'end'>> {
  const endMs = performance.now() + maxTimeMs
  const seen = new Set<string>()
  for (const { path: place, depth } of places) {
    let level = [place]
    for (let below = 0; below <= depth && level.length > 0; below++) {
      const next: string[] = []
      for (let at = 0; at < level.length; at += BATCH) {
        if (signal.aborted) return { folders: seen.size, end: 'cancelled' }
        if (performance.now() > endMs) return { folders: seen.size, end: 'time' }
        if (seen.size >= maxFolders) return { folders: seen.size, end: 'folders' }
        const batch = level.slice(at, at + BATCH).filter((folder) => !seen.has(folder))
        for (const folder of batch) {
          seen.add(folder)
          if (onFolder(folder) === 'enough') return { folders: seen.size, end: 'all' }
        }
        if (below < depth) next.push(...(await Promise.all(batch.map(foldersIn))).flat())
        else await setImmediate()
      }
      level = next
    }
  }
  return { folders: seen.size, end: 'all' }
}

async function foldersIn(folder: string): Promise<string[]> {
  if (PASSED_BY.has(basename(folder))) return []
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => join(folder, name))
  } catch {
    // Deleted in the meantime, or not readable by this user.
    return []
  }
}

/** Where people keep code below their home folder, in any letter case. */
const CODE_FOLDERS = new Set([
  'src',
  'source',
  'code',
  'projects',
  'work',
  'workspace',
  'workspaces',
  'dev',
  'develop',
  'development',
  'developer',
  'repos',
  'repositories',
  'git',
  'github',
  'sites',
  'documents',
  'desktop',
])
const CODE_FOLDERS_BELOW = ['go/src', 'source/repos', 'Documents/GitHub']

interface SearchPlace {
  /** Absolute path. */
  path: string
  /** Number of levels below it to search. */
  depth: number
}

/** Where a project's folder may be: the usual code folders four levels deep, then the home folder three levels deep. */
async function searchPlaces(homes: readonly GeminiHome[], userHome: string): Promise<SearchPlace[]> {
  const places: SearchPlace[] = []
  for (const home of new Set(homes.map(({ path }) => homeFolderOf(path, userHome)))) {
    const names = await foldersAt(home)
    const own = names.filter((name) => CODE_FOLDERS.has(name.toLowerCase()))
    for (const name of [...CODE_FOLDERS_BELOW, ...own]) {
      if (await isFolder(join(home, name))) places.push({ path: join(home, name), depth: 4 })
    }
    places.push({ path: home, depth: 3 })
  }
  return places
}

/**
 * The parent of `.gemini`, if the folder has that name. The location of a copied Gemini folder says nothing about where its projects are.
 */
function homeFolderOf(geminiHome: string, userHome: string): string {
  if (basename(geminiHome) !== '.gemini') return userHome
  const above = dirname(geminiHome)
  // In the macOS sandbox 0.61 keeps its home in the cache folder.
  return basename(above) === '.cache' ? dirname(above) : above
}

async function foldersAt(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}
