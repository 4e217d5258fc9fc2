import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type FSWatcher, watch } from 'chokidar'

/** Turns file events below the homes into names, nothing else. */
export interface HomesWatcher {
  /**
   * The directories to hold a watch on, one each; those already held stay as they are. true: some are new, and their
   * watches do not stand yet.
   */
  setDirectories(directories: Iterable<string>): boolean
  close(): Promise<void>
}

export interface WatchOptions {
  /** A file in a watched directory was written, made or removed. Absolute path. */
  onFile: (path: string) => void
  /** Directories came or went, or events were lost: look at everything again. */
  onSweep: () => void
}

/** chokidar lists a directory before it watches it: hundreds at once would hold up everything else for half a second. */
const DIRECTORIES_AT_ONCE = 4
const PAUSE_MS = 10

/**
 * Holds one watch a directory, not one a file: ten thousand sessions cost two hundred watches. chokidar then tells
 * of files by its `raw` event only, which names the file; what happened to it is for the receiver to find out.
 */
export function watchHomes({ onFile, onSweep }: WatchOptions): HomesWatcher {
  const held = new Set<string>()
  /** Of those, the ones whose turn has not come. */
  const waiting = new Set<string>()
  const watcher: FSWatcher = watch([], {
    depth: 0,
    ignoreInitial: true,
    persistent: true,
    followSymlinks: false,
    ignored: (_path, stats) => stats?.isFile() === true,
  })
  watcher.on('raw', (_event, name, details: unknown) => {
    const directory = watchedPathOf(details)
    if (directory !== null && typeof name === 'string' && name !== '') onFile(join(directory, name))
  })
  watcher.on('addDir', onSweep)
  watcher.on('unlinkDir', onSweep)
  // ENOSPC, EMFILE and the like cost immediacy only: whoever receives looks from time to time.
  watcher.on('error', onSweep)

  async function addWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const next = [...waiting].slice(0, DIRECTORIES_AT_ONCE)
      for (const directory of next) waiting.delete(directory)
      watcher.add(next)
      await setTimeout(PAUSE_MS)
    }
  }

  return {
    setDirectories(directories) {
      const wanted = new Set(directories)
      const fresh = [...wanted].filter((directory) => !held.has(directory))
      const gone = [...held].filter((directory) => !wanted.has(directory))
      for (const directory of gone) held.delete(directory)
      watcher.unwatch(gone.filter((directory) => !waiting.delete(directory)))
      const isAdding = waiting.size > 0
      for (const directory of fresh) {
        held.add(directory)
        waiting.add(directory)
      }
      if (!isAdding) void addWaiting()
      return fresh.length > 0
    },
    async close() {
      waiting.clear()
      await watcher.close()
    },
  }
}

function watchedPathOf(details: unknown): string | null {
  if (details === null || typeof details !== 'object' || !('watchedPath' in details)) return null
  return typeof details.watchedPath === 'string' ? details.watchedPath : null
}
