import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
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
  /**
   * So many of the directories could not be watched when they were asked for last, because the system allows no more
   * (`ENOSPC`, `EMFILE`); 0: all are watched again.
   */
  onLimit?: (unwatched: number, code: string) => void
}

/** chokidar lists a directory before it watches it: hundreds at once would hold up everything else for half a second. */
const DIRECTORIES_AT_ONCE = 4
const PAUSE_MS = 10
const REFUSAL_MS = 1_000

/**
 * Holds one watch a directory, not one a file: ten thousand sessions cost two hundred watches. chokidar then tells
 * of files by its `raw` event only, which names the file; what happened to it is for the receiver to find out.
 */
export function watchHomes({ onFile, onSweep, onLimit = () => {} }: WatchOptions): HomesWatcher {
  /** Each with what stood at the path when its watch was asked for. */
  const held = new Map<string, string>()
  /** Their watches ended, or could not be had: the next look asks for them again. */
  const lost = new Set<string>()
  const refused = new Set<string>()
  let wereRefused = false
  /** Of those held, the ones whose turn has not come. */
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
    // The directory itself was removed or moved, and another may stand in its place. One that holds its namesake only
    // gets another watch.
    if (event === 'rename' && name === basename(directory)) {
      lost.add(directory)
      onSweep()
    }
    onFile(join(directory, name))
  })
  watcher.on('addDir', onSweep)
  watcher.on('unlinkDir', onSweep)
  // Whoever receives looks from time to time, so this costs immediacy only.
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
    // A refusal comes only when chokidar has listed the directory.
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

/** What stands at each path: a directory that was made anew needs another watch. Those that are not there are left out. */
function identitiesOf(directories: Iterable<string>): Map<string, string> {
  const identities = new Map<string, string>()
  for (const directory of directories) {
    try {
      const { dev, ino } = statSync(directory, { bigint: true })
      identities.set(directory, `${dev} ${ino}`)
    } catch {
      // It is not there, or nobody may know.
    }
  }
  return identities
}

function watchedPathOf(details: unknown): string | null {
  if (details === null || typeof details !== 'object' || !('watchedPath' in details)) return null
  return typeof details.watchedPath === 'string' ? details.watchedPath : null
}
