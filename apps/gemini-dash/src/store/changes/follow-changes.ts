import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GeminiHome, Scan } from 'gemini-sessions/node'
import { pathFlavour } from '../../paths/path-flavour.ts'
import { watchHomes } from '../../watch/watch-homes.ts'
import type { Library } from '../library/library.ts'
import { QuickLook } from './quick-look.ts'

/** Several writes of one turn come within milliseconds; one look answers them all. */
const FILE_DELAY_MS = 10
const SWEEP_DELAY_MS = 100
const RETRY_DELAY_MS = 5_000
const QUICK_LOOK_INTERVAL_MS = 30_000
/** A watch stands only some time after it was asked for, and nothing says when: so long after it folders are looked at again. */
const SETTLING_MS = [500, 1_500, 2_500, 4_000, 7_000, 10_000]

/** Keeps the library up to date with the disk. Returns the function that ends it. */
export async function followChanges(homes: GeminiHome[], library: Library): Promise<() => Promise<void>> {
  const roots = homes.map(({ tmpPath }) => tmpPath)
  const changedFiles = new Set<string>()
  let fileTimer: NodeJS.Timeout | null = null
  let sweepTimer: NodeJS.Timeout | null = null
  const settling = new Set<NodeJS.Timeout>()
  let isClosed = false
  const quickLook = new QuickLook(library)

  const lookAtFiles = async () => {
    fileTimer = null
    const paths = [...changedFiles]
    changedFiles.clear()
    // What a look at one file does not get done, a look at everything does.
    const known = await Promise.all(paths.map((path) => library.refreshFile(path).catch(() => false)))
    if (known.includes(false)) sweepSoon()
  }
  const lookAtEverything = async () => {
    sweepTimer = null
    try {
      const directories = await quickLook.around(async () => {
        await library.refresh()
        return watchedDirectories(homes, library.scan)
      })
      watch(directories)
    } catch {
      // The index cannot be asked just now, as where its threads do not start.
      sweepSoon(RETRY_DELAY_MS)
    }
  }
  const sweepSoon = (delayMs = SWEEP_DELAY_MS) => {
    if (!isClosed) sweepTimer ??= setTimeout(lookAtEverything, delayMs)
  }
  const flavour = pathFlavour()
  const watcher = watchHomes({
    onFile: (told) => {
      const path = flavour.toSlashes(told)
      // Above `tmp` only the folders that lead to it matter.
      if (!roots.some((root) => path.startsWith(root) || root.startsWith(path))) return
      changedFiles.add(path)
      fileTimer ??= setTimeout(lookAtFiles, FILE_DELAY_MS)
    },
    onSweep: () => sweepSoon(),
    onLimit: (unwatched, code) => library.warnings.tellWatchLimit(unwatched, code),
  })
  const watch = (directories: string[]) => {
    if (isClosed || !watcher.setDirectories(directories)) return
    for (const delayMs of SETTLING_MS) {
      const timer = setTimeout(async () => {
        settling.delete(timer)
        if (await quickLook.hasFolderChanged()) sweepSoon()
      }, delayMs)
      settling.add(timer.unref())
    }
  }
  const lookQuickly = async () => {
    if (await quickLook.findsReason()) sweepSoon()
  }
  const quickTimer = setInterval(lookQuickly, QUICK_LOOK_INTERVAL_MS)
  quickTimer.unref()
  watch(await quickLook.around(() => watchedDirectories(homes, library.scan)))

  return async () => {
    isClosed = true
    clearInterval(quickTimer)
    if (fileTimer !== null) clearTimeout(fileTimer)
    if (sweepTimer !== null) clearTimeout(sweepTimer)
    for (const timer of settling) clearTimeout(timer)
    await watcher.close()
  }
}

/** Every directory in which a session can appear or grow: `tmp`, each project, its `chats`, and the sub-agents' folders there. */
async function watchedDirectories(homes: readonly GeminiHome[], scan: Scan): Promise<string[]> {
  const chats = scan.projects.map(({ folder }) => join(folder, 'chats'))
  const nested = await Promise.all(chats.map(subdirectories))
  return [...homes.flatMap(placesOfHome), ...scan.projects.map(({ folder }) => folder), ...nested.flat()]
}

/** The directory and those directly in it; none if it is not there. */
async function subdirectories(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return [
      directory,
      ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name)),
    ]
  } catch {
    return []
  }
}

/** Where a home that is not there yet will appear is watched as well: the first session of all comes by itself. */
function placesOfHome({ path, tmpPath }: GeminiHome): string[] {
  const places = [path, tmpPath].filter((place) => existsSync(place))
  return places.length > 0 ? places : [dirname(path)].filter((parent) => existsSync(parent))
}
