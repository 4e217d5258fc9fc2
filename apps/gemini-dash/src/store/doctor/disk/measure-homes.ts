import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import type { DiskKind } from '@gemini-dash/api'
import { isSavedChatName } from 'gemini-sessions'
import { type GeminiHome, TimeSlice } from 'gemini-sessions/node'

/** A folder under `tmp/`, with what restore points took under `history/`. */
export interface MeasuredFolder {
  /** Absolute path under `tmp/`. */
  folder: string
  amounts: Map<DiskKind, { sizeBytes: number; files: number }>
  outputs: MeasuredOutput[]
}

export interface MeasuredOutput {
  /** Absolute. */
  path: string
  sizeBytes: number
  /** As the name of its folder says; null: it lies loose. */
  sessionId: string | null
}

/** A restore point of a large project holds tens of thousands of files; more are not counted. */
const MOST_FILES = 200_000
const MOST_LEVELS = 8
/** Of each folder the largest so many. */
const MOST_OUTPUTS = 50

const KIND_OF_FOLDER: ReadonlyMap<string, DiskKind> = new Map([
  ['chats', 'logs'],
  ['tool-outputs', 'outputs'],
  ['tool_output', 'outputs'],
  ['images', 'pictures'],
  ['checkpoints', 'restore-points'],
  ['plans', 'plans'],
  ['tracker', 'plans'],
  ['tasks', 'plans'],
  ['logs', 'debug'],
])

/** Counts what lies below `tmp/` and `history/` of these homes: names and sizes only, no file is opened and no link followed. */
export async function measureHomes(
  homes: readonly GeminiHome[],
): Promise<{ folders: MeasuredFolder[]; isComplete: boolean }> {
  const walk = new Walk()
  const folders: MeasuredFolder[] = []
  for (const { path, tmpPath } of homes) {
    for (const entry of walk.list(tmpPath)) {
      if (!entry.isDirectory()) continue
      const measured: MeasuredFolder = {
        folder: `${tmpPath}/${entry.name}`,
        amounts: new Map(),
        outputs: [],
      }
      await walk.count(measured, measured.folder, kindInProject)
      await walk.count(measured, `${path}/history/${entry.name}`, () => 'restore-points')
      measured.outputs.sort((a, b) => b.sizeBytes - a.sizeBytes).splice(MOST_OUTPUTS)
      folders.push(measured)
    }
  }
  return { folders, isComplete: walk.isComplete }
}

type KindOf = (places: readonly string[]) => DiskKind

/** `places`: the names of the folders above the file, and its own. */
function kindInProject(places: readonly string[]): DiskKind {
  const [first = '', second = ''] = places
  if (places.length === 1) {
    if (first === 'logs.json' || isSavedChatName(first)) return 'logs'
    // Versions 0.26 to 0.28 left outputs loose in the project's folder.
    return /\.(txt|output)$/.test(first) ? 'outputs' : 'other'
  }
  if (first === 'chats') return places.length > 2 ? 'subagents' : 'logs'
  // the folder that a session has for its own
  return KIND_OF_FOLDER.get(first) ?? (places.length > 2 ? KIND_OF_FOLDER.get(second) : undefined) ?? 'other'
}

class Walk {
  isComplete = true
  readonly #slice = new TimeSlice()
  #files = 0

  list(folder: string): Dirent[] {
    try {
      // a link is not followed, not even where it stands for the folder itself
      return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : []
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.isComplete = false
      return []
    }
  }

  async count(
    measured: MeasuredFolder,
    folder: string,
    kindOf: KindOf,
    places: readonly string[] = [],
  ): Promise<void> {
    for (const entry of this.list(folder)) {
      if (this.#slice.isOver()) await this.#slice.next()
      const path = `${folder}/${entry.name}`
      const inner = [...places, entry.name]
      if (entry.isDirectory() && inner.length < MOST_LEVELS) await this.count(measured, path, kindOf, inner)
      else if (entry.isFile() && this.#files < MOST_FILES) this.#add(measured, path, inner, kindOf(inner))
      else if (entry.isFile() || entry.isDirectory()) this.isComplete = false
    }
  }

  #add({ amounts, outputs }: MeasuredFolder, path: string, places: readonly string[], kind: DiskKind): void {
    const sizeBytes = this.#sizeOf(path)
    const amount = amounts.get(kind) ?? { sizeBytes: 0, files: 0 }
    amounts.set(kind, { sizeBytes: amount.sizeBytes + sizeBytes, files: amount.files + 1 })
    this.#files++
    if (kind === 'outputs') outputs.push({ path, sizeBytes, sessionId: ownerOf(places) })
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

/** A second session of the same id has `________<n>` behind its name. */
function ownerOf(places: readonly string[]): string | null {
  return places.length < 3 ? null : (/^session-(.*?)(?:_{8}\d+)?$/.exec(places[1] ?? '')?.[1] ?? null)
}
