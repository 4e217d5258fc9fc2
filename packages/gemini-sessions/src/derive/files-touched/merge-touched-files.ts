import type { FileChange, LineChange, TouchedFile } from '../../model/insights/touched-file.ts'
import { earliestTime, latestTime } from '../messages/message-times.ts'
import { foldPath } from '../path-clues/path-spellings.ts'

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
