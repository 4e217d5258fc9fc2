import { existsSync, lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { CONVERSATION_FOLDER } from '@gemini-dash/antigravity-sessions/scan'
import type { DiscoveredFile, GeminiHome, Scan } from 'gemini-sessions/node'
import { pathStyle } from '../../paths.ts'
import { watchHomes } from '../../watch.ts'
import { conversationFiles } from './scan.ts'
import type { Sync } from './sync.ts'

/** A watch on `brain` itself only reports new conversations. */
const CONVERSATION_SUBFOLDERS = ['conversations', 'brain', 'annotations'].map(
  (name) => `${CONVERSATION_FOLDER}/${name}`,
)
/** Several writes of one turn come within milliseconds; they are handled together. */
const FILE_DELAY_MS = 10
const SWEEP_DELAY_MS = 100
const RETRY_DELAY_MS = 5_000
const QUICK_LOOK_INTERVAL_MS = 30_000
/** A watch becomes active some time after it was requested, without a signal: folders are checked again after these delays. */
const SETTLING_MS = [500, 1_500, 2_500, 4_000, 7_000, 10_000]

/** Keeps the sync up to date with the disk. Returns a function that stops it. */
export async function followChanges(homes: GeminiHome[], sync: Sync): Promise<() => Promise<void>> {
  const roots = homes.flatMap(({ path, tmpPath }) => [
    tmpPath,
    ...CONVERSATION_SUBFOLDERS.map((name) => `${path}/${name}`),
  ])
  const changedFiles = new Set<string>()
  let fileTimer: NodeJS.Timeout | null = null
  let sweepTimer: NodeJS.Timeout | null = null
  const settling = new Set<NodeJS.Timeout>()
  let isClosed = false
  const quickLook = new QuickLook(sync)

  const lookAtFiles = async () => {
    fileTimer = null
    const paths = [...changedFiles]
    changedFiles.clear()
    // A change that checking a single file cannot handle requires a full scan.
    const known = await Promise.all(paths.map((path) => sync.refreshFile(path).catch(() => false)))
    if (known.includes(false)) sweepSoon()
  }
  const lookAtEverything = async () => {
    sweepTimer = null
    try {
      const directories = await quickLook.around(async () => {
        await sync.refresh()
        return watchedDirectories(homes, sync.scan)
      })
      watch(directories)
    } catch {
      // The index is unavailable, for example because its threads do not start.
      sweepSoon(RETRY_DELAY_MS)
    }
  }
  const sweepSoon = (delayMs = SWEEP_DELAY_MS) => {
    if (!isClosed) sweepTimer ??= setTimeout(lookAtEverything, delayMs)
  }
  const style = pathStyle()
  const watcher = watchHomes({
    onFile: (reported) => {
      const path = style.toSlashes(reported)
      // Above `tmp` only the folders that lead to it matter.
      if (path.endsWith('-shm') || !roots.some((root) => path.startsWith(root) || root.startsWith(path)))
        return
      changedFiles.add(path)
      fileTimer ??= setTimeout(lookAtFiles, FILE_DELAY_MS)
    },
    onSweep: () => sweepSoon(),
    onLimit: (unwatched, code) => sync.warnings.tellWatchLimit(unwatched, code),
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
  watch(await quickLook.around(() => watchedDirectories(homes, sync.scan)))

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
  return [
    ...homes.flatMap(placesOfHome),
    ...lanesOf(scan),
    ...scan.projects.map(({ folder }) => folder),
    ...nested.flat(),
  ]
}

/** Where conversations of Antigravity CLI are created, grow and get their names. Empty if a home has none. */
function lanesOf({ conversations = [] }: Scan): string[] {
  const homes = new Set(conversations.map(({ home }) => home))
  return [...homes].flatMap((home) => CONVERSATION_SUBFOLDERS.map((name) => `${home}/${name}`))
}

/** The directory and its direct subdirectories; empty if it does not exist. */
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

/** Includes the parent of a home that does not exist yet, so that even the very first session is noticed. */
function placesOfHome({ path, tmpPath }: GeminiHome): string[] {
  const places = [path, tmpPath].filter((place) => existsSync(place))
  return places.length > 0 ? places : [dirname(path)].filter((parent) => existsSync(parent))
}

/** After this many quick looks every file has been checked. */
const LOOKS_PER_ROUND = 10
/** The files written last are likely to grow, and are checked each time. */
const NEWEST_FILES = 100
/** Takes two or three milliseconds. */
const MEASURES_AT_ONCE = 400

type Known = Pick<Sync, 'rows' | 'scan' | 'isSettled'>

/**
 * Detects changes without an event, at a fraction of the cost of a full scan: checks each time all folders, for files added or removed, the
 * newest files, and a share of the others. Every so often it requests a full scan.
 */
export class QuickLook {
  readonly #sync: Known
  /** Nanoseconds; null: the folder did not exist, or its time is not known yet. */
  #folderTimes = new Map<string, bigint | null>()
  #newestFiles: readonly string[] = []
  #looks = 0

  constructor(sync: Known) {
    this.#sync = sync
  }

  /** Runs a full scan. Folder times are taken before it, so that changes during the scan are found the next time. */
  async around(lookAtEverything: () => Promise<string[]>): Promise<string[]> {
    const times = new Map([...this.#folderTimes.keys()].map((folder) => [folder, timeOf(folder)]))
    const folders = await lookAtEverything()
    this.#folderTimes = new Map(folders.map((folder) => [folder, times.get(folder) ?? null]))
    const newest = filesOf(this.#sync.scan)
      .sort((a, b) => b.mtimeMs - a.mtimeMs)
      .slice(0, NEWEST_FILES)
    this.#newestFiles = newest.map(({ absolutePath }) => absolutePath)
    return folders
  }

  /** Whether there is a reason for a full scan. */
  async findsReason(): Promise<boolean> {
    this.#looks += 1
    if (this.#looks % LOOKS_PER_ROUND === 0 || !this.#sync.isSettled) return true
    const share = this.#looks % LOOKS_PER_ROUND
    const files = filesOf(this.#sync.scan).filter((_, index) => index % LOOKS_PER_ROUND === share)
    const paths = [...this.#newestFiles, ...files.map(({ absolutePath }) => absolutePath)]
    return (await this.hasFolderChanged()) || (await someOf(paths, (path) => this.#hasChanged(path)))
  }

  /** Whether a file was added or removed since the last full scan. Also true for folders first found by it. */
  hasFolderChanged(): Promise<boolean> {
    return someOf([...this.#folderTimes], ([folder, time]) => timeOf(folder) !== time)
  }

  #hasChanged(absolutePath: string): boolean {
    const { rows } = this.#sync
    const group = rows.group(rows.groupOfFile(absolutePath) ?? '')
    const known = group?.files.find((file) => file.absolutePath === absolutePath)
    return known !== undefined && String(timeOf(absolutePath)) !== known.mtimeNs
  }
}

function filesOf(scan: Scan): DiscoveredFile[] {
  return [...scan.files, ...conversationFiles(scan)]
}

async function someOf<Item>(items: readonly Item[], isMeant: (item: Item) => boolean): Promise<boolean> {
  for (let first = 0; first < items.length; first += MEASURES_AT_ONCE) {
    if (first > 0) await setImmediate()
    if (items.slice(first, first + MEASURES_AT_ONCE).some(isMeant)) return true
  }
  return false
}

/** null: it does not exist, or is not accessible. */
function timeOf(path: string): bigint | null {
  try {
    return lstatSync(path, { bigint: true }).mtimeNs
  } catch {
    return null
  }
}
