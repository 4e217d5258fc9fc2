import { stat } from 'node:fs/promises'
import { isLocalPath } from 'gemini-sessions/node'

/** A home that names more folders than this is not asked about all of them. */
const MAX_PATHS = 500
const FRESH_MS = 60_000

/**
 * Whether folders that sessions name are still there. Asks for one after the other, so that a file system that does not
 * answer holds up nothing else, and never for a path on the network.
 */
export class FolderPresence {
  readonly #onChange: () => void
  readonly #known = new Map<string, { isGone: boolean | null; askedMs: number }>()
  readonly #asked = new Set<string>()
  #isAsking = false

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  isGone(path: string): boolean | null {
    return this.#known.get(path)?.isGone ?? null
  }

  /** Asks for those that were not asked for within the last minute; tells when answers are new. */
  look(paths: readonly string[]): void {
    const oldestMs = performance.now() - FRESH_MS
    for (const path of paths.slice(0, MAX_PATHS)) {
      if (isLocalPath(path) && (this.#known.get(path)?.askedMs ?? Number.NEGATIVE_INFINITY) < oldestMs)
        this.#asked.add(path)
    }
    if (!this.#isAsking) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    let hasChanged = false
    for (const path of this.#asked) {
      const isGone = await isFolderGone(path)
      hasChanged ||= isGone !== this.isGone(path)
      this.#known.set(path, { isGone, askedMs: performance.now() })
      this.#asked.delete(path)
    }
    this.#isAsking = false
    if (hasChanged) this.#onChange()
  }
}

/** null: nobody may know, as where a folder above is closed to this user. */
async function isFolderGone(path: string): Promise<boolean | null> {
  try {
    return !(await stat(path)).isDirectory()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOENT' || code === 'ENOTDIR' ? true : null
  }
}
