import type { FolderSearch } from '@gemini-dash/api'
import type { GeminiHome, ProjectIdentity } from 'gemini-sessions/node'
import { folderMatcher } from './folder-matcher.ts'
import { type FolderSearchBounds, searchFolders } from './search-folders.ts'
import { searchPlaces } from './search-places.ts'

export interface FoundFolders {
  /** How many projects were looked for. */
  wanted: number
  /** Proven by a hash, by project key. */
  found: Map<string, string>
  /** Called like the project's slug, by project key. */
  guesses: Map<string, string[]>
  looked: FolderSearch['looked']
}

/** Looks on this computer for the folders of these projects, where people usually keep code. */
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
