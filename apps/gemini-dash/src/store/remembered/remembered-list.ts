import { closeSync, readSync } from 'node:fs'
import { type FileStamp, type IndexedGroup, isUnchanged } from '@gemini-dash/session-index'
import type { Cost, SessionSummary, TokenUsage } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import { openLine } from './sealed-line.ts'

/** A group of the kept rows, as far as a list looks at it. The rest stands in its own line. */
export interface RememberedGroup {
  /** Where its line begins in the file, and how long it is, in bytes. */
  at: [offset: number, length: number]
  files: FileStamp[]
  /** Its main sessions. */
  rows: RememberedRow[]
  /** Places in the list of the groups of their sub-agents. */
  subagents: number[]
}

/** What days, orders and models of a list are made of. */
export interface RememberedRow
  extends Pick<SessionSummary, 'key' | 'startTime' | 'endTime' | 'models' | 'usage' | 'cost'> {
  /** Left out where there are no sub-agents: then it is the same as its own. */
  withSubagents?: { usage: TokenUsage | null; cost: Cost | null }
  /** Left out where something was said. */
  empty?: true
}

/** All groups of the kept rows without their lines, which are read when they are asked for. */
export class RememberedList {
  readonly groups: readonly RememberedGroup[]
  readonly #descriptor: number

  /** `descriptor`: of the file, which may be replaced while this one is open. */
  constructor(groups: readonly RememberedGroup[], descriptor: number) {
    this.groups = groups
    this.#descriptor = descriptor
  }

  /** @throws if the file does not hold what was written */
  load({ at: [offset, length] }: RememberedGroup): IndexedGroup {
    const line = Buffer.allocUnsafe(length)
    readSync(this.#descriptor, line, 0, length, offset)
    return openLine(line) as IndexedGroup
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/** The files of each group of which every one is as it was. */
export type UnchangedFiles = ReadonlyMap<RememberedGroup, DiscoveredFile[]>

export function unchangedFiles(
  groups: readonly RememberedGroup[],
  files: readonly DiscoveredFile[],
): UnchangedFiles {
  const fileAt = new Map<string, DiscoveredFile>()
  for (const file of files) fileAt.set(file.absolutePath, file)
  const unchanged = new Map<RememberedGroup, DiscoveredFile[]>()
  for (const group of groups) {
    const own: DiscoveredFile[] = []
    for (const stamp of group.files) {
      const file = fileAt.get(stamp[0])
      if (file !== undefined && isUnchanged(stamp, file)) own.push(file)
    }
    if (own.length > 0 && own.length === group.files.length) unchanged.set(group, own)
  }
  return unchanged
}
