import { lstatSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Library } from '../library/library.ts'

/** After so many of them a quick look has looked at every file. */
const LOOKS_PER_ROUND = 10
/** These were written last, so they are likely to grow, and are looked at each time. */
const NEWEST_FILES = 100
/** Two or three milliseconds of work. */
const MEASURES_AT_ONCE = 400

type Known = Pick<Library, 'catalog' | 'scan' | 'isSettled'>

/**
 * Looks for what no event told, at a fraction of what a look at everything costs: each time all folders, for files that
 * came or went, the newest files, and a share of the others; every so often everything is due.
 */
export class QuickLook {
  readonly #library: Known
  /** Nanoseconds; null: it was not there, or its time is not known yet. */
  #folderTimes = new Map<string, bigint | null>()
  #newestFiles: readonly string[] = []
  #looks = 0

  constructor(library: Known) {
    this.#library = library
  }

  /** Runs a look at everything. Times of folders are taken before it: what changes meanwhile is found the next time. */
  async around(lookAtEverything: () => Promise<string[]>): Promise<string[]> {
    const times = new Map([...this.#folderTimes.keys()].map((folder) => [folder, timeOf(folder)]))
    const folders = await lookAtEverything()
    this.#folderTimes = new Map(folders.map((folder) => [folder, times.get(folder) ?? null]))
    const newest = [...this.#library.scan.files].sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, NEWEST_FILES)
    this.#newestFiles = newest.map(({ absolutePath }) => absolutePath)
    return folders
  }

  /** Is there a reason to look at everything? */
  async findsReason(): Promise<boolean> {
    this.#looks += 1
    if (this.#looks % LOOKS_PER_ROUND === 0 || !this.#library.isSettled) return true
    const share = this.#looks % LOOKS_PER_ROUND
    const files = this.#library.scan.files.filter((_, index) => index % LOOKS_PER_ROUND === share)
    const paths = [...this.#newestFiles, ...files.map(({ absolutePath }) => absolutePath)]
    return (await this.hasFolderChanged()) || (await someOf(paths, (path) => this.#hasChanged(path)))
  }

  /** Did a file come or go since the last look at everything? Also true of folders that it found first. */
  hasFolderChanged(): Promise<boolean> {
    return someOf([...this.#folderTimes], ([folder, time]) => timeOf(folder) !== time)
  }

  #hasChanged(absolutePath: string): boolean {
    const { catalog } = this.#library
    const group = catalog.group(catalog.groupOfFile(absolutePath) ?? '')
    const known = group?.files.find((file) => file.absolutePath === absolutePath)
    return known !== undefined && String(timeOf(absolutePath)) !== known.mtimeNs
  }
}

async function someOf<Item>(items: readonly Item[], isMeant: (item: Item) => boolean): Promise<boolean> {
  for (let first = 0; first < items.length; first += MEASURES_AT_ONCE) {
    if (first > 0) await setImmediate()
    if (items.slice(first, first + MEASURES_AT_ONCE).some(isMeant)) return true
  }
  return false
}

/** null: it is not there, or nothing may be known of it. */
function timeOf(path: string): bigint | null {
  try {
    return lstatSync(path, { bigint: true }).mtimeNs
  } catch {
    return null
  }
}
