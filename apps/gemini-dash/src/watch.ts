import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type FSWatcher, watch } from 'chokidar'

/** Turns file events below the homes into file names, nothing else. */
export interface HomesWatcher {
  /** The directories to watch, one watch each; existing watches stay. true: some are new and their watches are not active yet. */
  setDirectories(directories: Iterable<string>): boolean
  close(): Promise<void>
}

export interface WatchOptions {
  /** A file in a watched directory was written, created or removed. Absolute path. */
  onFile: (path: string) => void
  /** Directories were added or removed, or events were lost: rescan everything. */
  onSweep: () => void
  /**
   * Number of directories that could not be watched at the last attempt because the system allows no more watches (`ENOSPC`, `EMFILE`); 0:
   * all are watched again.
   */
  onLimit?: (unwatched: number, code: string) => void
}

/** chokidar lists a directory before it watches it: hundreds at once would block everything else for half a second. */
const DIRECTORIES_AT_ONCE = 4
const PAUSE_MS = 10
const REFUSAL_MS = 1_000

/**
 * Holds one watch per directory, not per file: ten thousand sessions cost two hundred watches. chokidar then reports files only by its
 * `raw` event, which gives the name; the receiver has to find out what happened.
 */
export function watchHomes({ onFile, onSweep, onLimit = () => {} }: WatchOptions): HomesWatcher {
  /** Each with the identity of what was at the path when its watch was requested. */
  const held = new Map<string, string>()
  /** Their watches ended or were refused: the next scan requests them again. */
  const lost = new Set<string>()
  const refused = new Set<string>()
  let wereRefused = false
  /** Directories in `held` whose watch has not been requested yet. */
  const waiting = new Set<string>()
  const watcher: FSWatcher = watch([], {
    depth: 0,
    ignoreInitial: true,
    persistent: true,
    followSymlinks: false,
    ignored: (_path, stats) => stats?.isFile() === true,
  })
  watcher.on('raw', (event, name, details: unknown) => {
    const directory = watchedPathOf(details)
    if (directory === null || typeof name !== 'string' || name === '') return
    // The directory itself was removed or moved, and another one may have replaced it. If it only contains an entry of the same name, it
    // merely gets a new watch.
    if (event === 'rename' && name === basename(directory)) {
      lost.add(directory)
      onSweep()
    }
    onFile(join(directory, name))
  })
  watcher.on('addDir', onSweep)
  watcher.on('unlinkDir', onSweep)
  // The receiver also rescans periodically, so a failure costs only immediacy.
  watcher.on('error', (error) => {
    const { code, path } = Object.assign({ code: '', path: '' }, error)
    if (code !== 'ENOSPC' && code !== 'EMFILE' && code !== 'ENFILE') return onSweep()
    lost.add(path)
    refused.add(path)
    wereRefused = true
    onLimit(refused.size, code)
  })

  async function addWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const next = [...waiting].slice(0, DIRECTORIES_AT_ONCE)
      for (const directory of next) waiting.delete(directory)
      watcher.add(next)
      await setTimeout(PAUSE_MS)
    }
    // A refusal arrives only after chokidar has listed the directory.
    await setTimeout(REFUSAL_MS, undefined, { ref: false })
    if (wereRefused && refused.size === 0 && waiting.size === 0) {
      wereRefused = false
      onLimit(0, '')
    }
  }

  return {
    setDirectories(directories) {
      const wanted = identitiesOf(directories)
      const isHeld = (directory: string) =>
        held.get(directory) === wanted.get(directory) && !lost.has(directory)
      const fresh = [...wanted.keys()].filter((directory) => !isHeld(directory))
      const gone = [...held.keys()].filter((directory) => !wanted.has(directory) || !isHeld(directory))
      for (const directory of gone) held.delete(directory)
      watcher.unwatch(gone.filter((directory) => !waiting.delete(directory)))
      lost.clear()
      refused.clear()
      const isAdding = waiting.size > 0
      for (const directory of fresh) {
        held.set(directory, wanted.get(directory) ?? '')
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

/** The identity of each path: a directory that was recreated needs a new watch. Missing directories are left out. */
function identitiesOf(directories: Iterable<string>): Map<string, string> {
  const identities = new Map<string, string>()
  for (const directory of directories) {
    try {
      const { dev, ino } = statSync(directory, { bigint: true })
      identities.set(directory, `${dev} ${ino}`)
    } catch {
      // Missing, or not accessible.
    }
  }
  return identities
}

function watchedPathOf(details: unknown): string | null {
  if (details === null || typeof details !== 'object' || !('watchedPath' in details)) return null
  return typeof details.watchedPath === 'string' ? details.watchedPath : null
}
