import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { FolderSearch } from '@gemini-dash/api'
import type { SearchPlace } from './search-places.ts'

export interface FolderSearchBounds {
  maxFolders: number
  maxTimeMs: number
}

const BOUNDS: FolderSearchBounds = { maxFolders: 100_000, maxTimeMs: 20_000 }
/** So many folders are read at once: enough to keep a disk busy, few enough to leave threads to others. */
const BATCH = 4

/** Folders of packages, caches and media: large, and no project lies in them. */
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

/**
 * Walks these places, level by level, and tells `onFolder` each folder's path once; hidden folders and links are passed by.
 * Ends when `onFolder` says that nothing more is wanted, at a bound, or with the signal. Only lists folders, opens no file.
 */
export async function searchFolders(
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
    // Gone meanwhile, or closed to this user.
    return []
  }
}
