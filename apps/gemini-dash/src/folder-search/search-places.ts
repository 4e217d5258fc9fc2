import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { GeminiHome } from 'gemini-sessions/node'

/** Where people keep code, below their home folder; in any case. */
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

export interface SearchPlace {
  /** Absolute path. */
  path: string
  /** How many levels below it are looked at. */
  depth: number
}

/** Where a project's folder may lie: the usual folders of code four levels deep, then the home folder three levels. */
export async function searchPlaces(homes: readonly GeminiHome[], userHome: string): Promise<SearchPlace[]> {
  const places: SearchPlace[] = []
  for (const home of new Set(homes.map(({ path }) => homeFolderOf(path, userHome)))) {
    const names = await foldersIn(home)
    const own = names.filter((name) => CODE_FOLDERS.has(name.toLowerCase()))
    for (const name of [...CODE_FOLDERS_BELOW, ...own]) {
      if (await isFolder(join(home, name))) places.push({ path: join(home, name), depth: 4 })
    }
    places.push({ path: home, depth: 3 })
  }
  return places
}

/** The folder above `.gemini`, as far as it is called so; a copy of a home tells nothing of where its projects lie. */
function homeFolderOf(geminiHome: string, userHome: string): string {
  if (basename(geminiHome) !== '.gemini') return userHome
  const above = dirname(geminiHome)
  // In the macOS sandbox 0.61 keeps its home in the cache folder.
  return basename(above) === '.cache' ? dirname(above) : above
}

async function foldersIn(folder: string): Promise<string[]> {
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
