import type { FileChange, LineChange, TouchedFile } from '../model/insights.ts'
import type { ToolOutput } from '../model/message.ts'
import { type FileTouch, touchedPathName } from './find-file-calls.ts'
import { earliestTime, latestTime } from './messages.ts'
import { foldPath } from './path-spellings.ts'

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

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** Comparing larger contents would hold the answer up. */
const MAX_COMPARED_LENGTH = 400_000

/**
 * The contents of one file from change to change. Whole contents are recorded since 0.25; of older versions only what
 * `write_file` wrote is known, as a `replace` names no more than the piece that it replaced.
 */
class ContentChain {
  isNew = false
  #changes = 0
  /** The first content that is known, before every change. undefined: not known. */
  #before: string | undefined
  /** What the last change left. undefined: not known. */
  #after: string | undefined
  #isWhole = true
  #isContinuous = true
  #lastDiff: Diff | null = null

  /** The next change; null: nothing is recorded of what it changed. */
  add(diff: Diff | null): void {
    const before = beforeOf(diff)
    const after = afterOf(diff)
    if (this.#changes === 0) {
      this.#before = before
      this.isNew = diff?.isNewFile === true
    } else if (before === undefined || this.#after === undefined) this.#isWhole = false
    else if (before !== this.#after) this.#isContinuous = false
    this.#after = after
    this.#lastDiff = diff
    this.#changes++
  }

  lines(): LineChange | null {
    if (this.#changes === 1 && this.#lastDiff !== null && !isUnknownRewrite(this.#lastDiff)) {
      return { linesAdded: this.#lastDiff.linesAdded, linesRemoved: this.#lastDiff.linesRemoved }
    }
    const ends = this.#ends()
    return ends === null ? null : countLineChanges(ends.before, ends.after)
  }

  /** What all changes came to, as a diff that the two contents tell. */
  diff(name: string, path: string): Diff | null {
    if (this.#changes === 1) return this.#lastDiff
    const ends = this.#ends()
    const lines = this.lines()
    if (ends === null) return null
    return {
      kind: 'diff',
      fileName: name,
      filePath: path,
      fileDiff: '',
      originalContent: ends.before,
      newContent: ends.after,
      linesAdded: lines?.linesAdded ?? 0,
      linesRemoved: lines?.linesRemoved ?? 0,
      isNewFile: this.isNew,
      isRebuilt: false,
    }
  }

  isContinuous(): boolean | null {
    return this.#isWhole && this.#ends() !== null ? this.#isContinuous : null
  }

  #ends(): { before: string; after: string } | null {
    const [before, after] = [this.#before, this.#after]
    if (before === undefined || after === undefined) return null
    return before.length + after.length > MAX_COMPARED_LENGTH ? null : { before, after }
  }
}

/** A whole content from before the change. */
function beforeOf(diff: Diff | null): string | undefined {
  if (diff === null || isPiece(diff)) return undefined
  return diff.originalContent ?? (diff.isNewFile ? '' : undefined)
}

/** A whole content from after it. */
function afterOf(diff: Diff | null): string | undefined {
  return diff === null || isPiece(diff) ? undefined : (diff.newContent ?? undefined)
}

/** Made from the arguments of a `replace`, which name a piece of the file unless they created it. */
export function isPiece({ isRebuilt, isNewFile, originalContent }: Diff): boolean {
  return isRebuilt && !isNewFile && originalContent !== null
}

/** A file written over by a version that did not record what was in it. */
function isUnknownRewrite({ isRebuilt, isNewFile, originalContent }: Diff): boolean {
  return isRebuilt && !isNewFile && originalContent === null
}

/** Beyond so many changed lines the fewest are not looked for: it would take seconds. */
const MAX_CHANGES = 2_000

/**
 * The fewest lines that must come and go to make one text of the other (Myers: the shortest edit script). null where
 * that would take too long.
 */
export function countLineChanges(before: string, after: string): LineChange | null {
  const [old, now] = trimCommon(toLines(before), toLines(after))
  const changes = shortestScript(old, now)
  if (changes === null) return null
  const linesAdded = (changes + now.length - old.length) / 2
  return { linesAdded, linesRemoved: changes - linesAdded }
}

function toLines(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

function trimCommon(old: string[], now: string[]): [string[], string[]] {
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  const shorter = Math.min(old.length, now.length) - head
  while (tail < shorter && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  return [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
}

/** Length of the shortest edit script: how far each diagonal gets with so many changes. */
function shortestScript(old: string[], now: string[]): number | null {
  if (old.length === 0 || now.length === 0) return old.length + now.length
  const most = Math.min(old.length + now.length, MAX_CHANGES)
  const middle = most + 1
  const reach = new Int32Array(2 * most + 3)
  for (let changes = 0; changes <= most; changes++) {
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const below = reach[middle + diagonal - 1] ?? 0
      const above = reach[middle + diagonal + 1] ?? 0
      const isDown = diagonal === -changes || (diagonal !== changes && below < above)
      let x = isDown ? above : below + 1
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++
      reach[middle + diagonal] = x
      if (x >= old.length && x - diagonal >= now.length) return changes
    }
  }
  return null
}

/** What a session and its sub-agents did to the same files. Nobody recorded what two of them came to together. */
export function mergeTouchedFiles(lists: readonly TouchedFile[][]): TouchedFile[] {
  const files = new Map<string, TouchedFile>()
  for (const file of lists.flat()) {
    const key = foldPath(file.path)
    const known = files.get(key)
    files.set(key, known === undefined ? file : mergeFiles(known, file))
  }
  return [...files.values()].sort(
    (a, b) => changesOf(b) - changesOf(a) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
}

/** The same for all about one file: calls by time. */
export function mergeFileChanges(changes: readonly FileChange[]): FileChange | null {
  const [first, ...rest] = changes
  if (first === undefined) return null
  const changing = changes.filter(({ file }) => changesOf(file) > 0)
  const [only] = changing.length === 1 ? changing : []
  return {
    file: rest.reduce((file, change) => mergeFiles(file, change.file), first.file),
    calls: changes
      .flatMap(({ calls }) => calls)
      .sort((a, b) => (Date.parse(a.timestamp ?? '') || 0) - (Date.parse(b.timestamp ?? '') || 0)),
    net: only?.net ?? null,
    isContinuous: only?.isContinuous ?? null,
  }
}

function mergeFiles(a: TouchedFile, b: TouchedFile): TouchedFile {
  const isOneChanger = changesOf(a) === 0 || changesOf(b) === 0
  const first = (Date.parse(b.firstTime ?? '') || 0) < (Date.parse(a.firstTime ?? '') || 0) ? b : a
  return {
    path: a.path,
    name: a.name,
    reads: a.reads + b.reads,
    searches: a.searches + b.searches,
    writes: a.writes + b.writes,
    edits: a.edits + b.edits,
    mentions: a.mentions + b.mentions,
    failed: a.failed + b.failed,
    failedEdits: a.failedEdits + b.failedEdits,
    superseded: a.superseded + b.superseded,
    byAgents: a.byAgents + b.byAgents,
    firstTime: earliestTime([a.firstTime, b.firstTime]),
    lastTime: latestTime([a.lastTime, b.lastTime]),
    isNew: isOneChanger ? a.isNew || b.isNew : first.isNew,
    recorded: sum(a.recorded, b.recorded),
    net: isOneChanger ? (a.net ?? b.net) : null,
  }
}

function changesOf({ writes, edits }: TouchedFile): number {
  return Math.min(writes + edits, 1)
}

function sum(a: LineChange | null, b: LineChange | null): LineChange | null {
  if (a === null || b === null) return a ?? b
  return { linesAdded: a.linesAdded + b.linesAdded, linesRemoved: a.linesRemoved + b.linesRemoved }
}
