import type { Message } from '../model/message.ts'
import { findFileCalls, touchedPathName } from './find-file-calls.ts'
import { latestTime } from './messages.ts'
import { foldPath } from './path-spellings.ts'

/** A path used by tools, with counts per action. Calls that were not carried out count only in `failed`. */
export interface TouchedFile {
  /** Absolute, `/` on every system, if the project's root is known or the call had it; else as in the call. */
  path: string
  /** Relative to the project's root if inside it. */
  name: string
  reads: number
  writes: number
  edits: number
  failed: number
  lastTime: string | null
}

const COUNTERS = { read: 'reads', wrote: 'writes', edited: 'edits' } as const

/** Collects what the calls of a session did to each file. */
export class TouchedFileList {
  readonly #root: string | null
  readonly #files = new Map<string, TouchedFile>()

  constructor(root: string | null) {
    this.#root = root
  }

  add(message: Message): void {
    for (const call of message.toolCalls) {
      for (const { path, action, isDone } of findFileCalls(message, call, this.#root)) {
        const file = this.#fileOf(path)
        file.lastTime = latestTime([file.lastTime, call.timestamp ?? message.timestamp])
        if (!isDone) file.failed++
        else if (action in COUNTERS) file[COUNTERS[action as keyof typeof COUNTERS]]++
      }
    }
  }

  files(): TouchedFile[] {
    return changedFirst([...this.#files.values()])
  }

  #fileOf(path: string): TouchedFile {
    const key = foldPath(path)
    const file = this.#files.get(key) ?? {
      ...{ path, name: touchedPathName(path, this.#root) },
      ...{ reads: 0, writes: 0, edits: 0, failed: 0, lastTime: null },
    }
    this.#files.set(key, file)
    return file
  }
}

/** Merges what several sessions did to the same files. */
export function mergeTouchedFiles(files: readonly TouchedFile[]): TouchedFile[] {
  const merged = new Map<string, TouchedFile>()
  for (const file of files) {
    const key = foldPath(file.path)
    const known = merged.get(key)
    merged.set(key, known === undefined ? file : addUp(known, file))
  }
  return changedFirst([...merged.values()])
}

function addUp(a: TouchedFile, b: TouchedFile): TouchedFile {
  return {
    ...a,
    reads: a.reads + b.reads,
    writes: a.writes + b.writes,
    edits: a.edits + b.edits,
    failed: a.failed + b.failed,
    lastTime: latestTime([a.lastTime, b.lastTime]),
  }
}

/** Changed files first, then by name. */
function changedFirst(files: TouchedFile[]): TouchedFile[] {
  const isChanged = ({ writes, edits }: TouchedFile) => Number(writes + edits > 0)
  return files.sort((a, b) => isChanged(b) - isChanged(a) || (a.name < b.name ? -1 : 1))
}
