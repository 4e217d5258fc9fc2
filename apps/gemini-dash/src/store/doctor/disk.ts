import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import type { DiskUse } from '@gemini-dash/api'
import { isSavedChatName } from 'gemini-sessions'
import { type GeminiHome, TimeSlice } from 'gemini-sessions/node'

/** No event announces outputs; the page shows them after this time. */
const KEPT_MS = 10_000

/** Measures the disk usage of homes; a result is reused for some seconds. */
export class DiskCount {
  #kept: { untilMs: number; use: Promise<DiskUse> } | null = null

  use(homes: readonly GeminiHome[]): Promise<DiskUse> {
    // A wall clock that is set back would keep it for longer.
    const nowMs = performance.now()
    if (this.#kept === null || nowMs > this.#kept.untilMs)
      this.#kept = { untilMs: nowMs + KEPT_MS, use: measureHomes(homes) }
    return this.#kept.use
  }
}

/** A restore point of a large project has tens of thousands of files; more are not counted. */
const MOST_FILES = 200_000
const MOST_LEVELS = 8

type Kind = 'sessions' | 'outputs' | 'other'

/** Counts the files below `tmp/` and `history/` of these homes: names and sizes only; opens no files and follows no links. */
async function measureHomes(homes: readonly GeminiHome[]): Promise<DiskUse> {
  const walk = new Walk()
  for (const { path, tmpPath } of homes) {
    for (const entry of walk.list(tmpPath)) {
      if (!entry.isDirectory()) continue
      await walk.count(`${tmpPath}/${entry.name}`, kindInProject)
      await walk.count(`${path}/history/${entry.name}`, () => 'other')
    }
  }
  const { sessions, outputs, other } = walk.bytes
  return {
    sizeBytes: sessions + outputs + other,
    files: walk.files,
    isComplete: walk.isComplete,
    sessionBytes: sessions,
    outputBytes: outputs,
    otherBytes: other,
  }
}

type KindOf = (places: readonly string[]) => Kind

/** `places`: the names of the folders above the file, and its own. */
function kindInProject(places: readonly string[]): Kind {
  const [first = '', second = ''] = places
  if (places.length === 1) {
    if (first === 'logs.json' || isSavedChatName(first)) return 'sessions'
    // Versions 0.26 to 0.28 put outputs directly in the project's folder.
    return /\.(txt|output)$/.test(first) ? 'outputs' : 'other'
  }
  if (first === 'chats') return 'sessions'
  // the second, in the session's own folder
  return isOutputFolder(first) || (places.length > 2 && isOutputFolder(second)) ? 'outputs' : 'other'
}

function isOutputFolder(name: string): boolean {
  return name === 'tool-outputs' || name === 'tool_output'
}

class Walk {
  isComplete = true
  files = 0
  readonly bytes: Record<Kind, number> = { sessions: 0, outputs: 0, other: 0 }
  readonly #slice = new TimeSlice()

  list(folder: string): Dirent[] {
    try {
      // do not follow a link, not even one in place of the folder itself
      return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : []
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.isComplete = false
      return []
    }
  }

  async count(folder: string, kindOf: KindOf, places: readonly string[] = []): Promise<void> {
    for (const entry of this.list(folder)) {
      if (this.#slice.isOver()) await this.#slice.next()
      const path = `${folder}/${entry.name}`
      const inner = [...places, entry.name]
      if (entry.isDirectory() && inner.length < MOST_LEVELS) await this.count(path, kindOf, inner)
      else if (entry.isFile() && this.files < MOST_FILES) {
        this.files++
        this.bytes[kindOf(inner)] += this.#sizeOf(path)
      } else if (entry.isFile() || entry.isDirectory()) this.isComplete = false
    }
  }

  #sizeOf(path: string): number {
    try {
      return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
    } catch {
      this.isComplete = false
      return 0
    }
  }
}
