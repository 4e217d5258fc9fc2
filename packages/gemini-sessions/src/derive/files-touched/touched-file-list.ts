import type { FileChange, LineChange, TouchedFile } from '../../model/insights/touched-file.ts'
import { earliestTime, latestTime } from '../messages/message-times.ts'
import { foldPath } from '../path-clues/path-spellings.ts'
import { ContentChain } from './content-chain.ts'
import type { FileTouch } from './find-file-calls.ts'
import { touchedPathName } from './resolve-touched-path.ts'

interface Entry {
  file: TouchedFile
  chain: ContentChain
  calls: FileChange['calls']
}

/**
 * Gathers what the calls of a session did to each file, call by call in reading order. The calls themselves, with
 * their diffs, are kept of one wanted file only.
 */
export class TouchedFileList {
  readonly #root: string | null
  readonly #wantedKey: string | null
  readonly #entries = new Map<string, Entry>()

  constructor(root: string | null, wantedPath: string | null = null) {
    this.#root = root
    this.#wantedKey = wantedPath === null ? null : foldPath(wantedPath)
  }

  add(touch: FileTouch): void {
    const { file, chain, calls } = this.#entryOf(touch.path)
    const { call, diff } = touch
    if (foldPath(touch.path) === this.#wantedKey) calls.push(call)
    file.firstTime = earliestTime([file.firstTime, call.timestamp])
    file.lastTime = latestTime([file.lastTime, call.timestamp])
    if (call.superseded !== null) file.superseded++
    if (call.isAgent) file.byAgents++
    const isChange = call.action === 'wrote' || call.action === 'edited'
    if (call.outcome !== 'done') {
      file.failed++
      if (isChange) file.failedEdits++
      return
    }
    file[COUNTERS[call.action]]++
    if (!isChange) return
    if (diff !== null) file.recorded = addLines(file.recorded, diff)
    // What was rewound may or may not have been put back on disk: the next change tells, not this one.
    if (call.superseded !== 'rewound') chain.add(diff)
    file.isNew = chain.isNew
  }

  /** Changed files first, then by name. */
  files(): TouchedFile[] {
    return [...this.#entries.values()]
      .map(({ file, chain }) => ({ ...file, net: chain.lines() }))
      .sort((a, b) => Number(isChanged(b)) - Number(isChanged(a)) || (a.name < b.name ? -1 : 1))
  }

  /** All about the wanted file; null where no call named it. */
  change(): FileChange | null {
    const entry = this.#entries.get(this.#wantedKey ?? '')
    if (entry === undefined) return null
    const { file, chain, calls } = entry
    return {
      file: { ...file, net: chain.lines() },
      calls,
      net: chain.diff(file.name, file.path),
      isContinuous: chain.isContinuous(),
    }
  }

  #entryOf(path: string): Entry {
    const key = foldPath(path)
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry = { file: emptyFile(path, this.#root), chain: new ContentChain(), calls: [] }
    this.#entries.set(key, entry)
    return entry
  }
}

const COUNTERS = {
  read: 'reads',
  searched: 'searches',
  wrote: 'writes',
  edited: 'edits',
  named: 'mentions',
} as const

export function emptyFile(path: string, root: string | null): TouchedFile {
  return {
    path,
    name: touchedPathName(path, root),
    reads: 0,
    searches: 0,
    writes: 0,
    edits: 0,
    mentions: 0,
    failed: 0,
    failedEdits: 0,
    superseded: 0,
    byAgents: 0,
    firstTime: null,
    lastTime: null,
    isNew: false,
    recorded: null,
    net: null,
  }
}

function isChanged({ writes, edits }: TouchedFile): boolean {
  return writes + edits > 0
}

function addLines(sum: LineChange | null, { linesAdded, linesRemoved }: LineChange): LineChange {
  return {
    linesAdded: (sum?.linesAdded ?? 0) + linesAdded,
    linesRemoved: (sum?.linesRemoved ?? 0) + linesRemoved,
  }
}
