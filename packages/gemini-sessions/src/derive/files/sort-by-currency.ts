import { lastMessageTime } from '../messages/message-times.ts'
import { readSessionPath } from './read-session-path.ts'
import type { StitchFile } from './stitch-file.ts'

/**
 * These files, the one that holds the newest state of a conversation first (contract rule 2: the latest message time).
 * Equal ones in a fixed order, so that the result does not depend on the order in which files were found.
 */
export function sortByCurrency(files: readonly StitchFile[]): StitchFile[] {
  return files
    .map((file) => ({ file, ranks: ranksOf(file) }))
    .sort((a, b) => compareRanks(a.ranks, b.ranks) || comparePlace(a.file, b.file))
    .map(({ file }) => file)
}

function ranksOf({ parsed }: StitchFile): number[] {
  const { isBackup, projectFolder } = readSessionPath(parsed.path)
  return [
    parsed.isStub ? 0 : 1,
    isBackup ? 0 : 1,
    timeMs(lastMessageTime(parsed.messages)),
    // A resume by 0.39+ copies the .json into a .jsonl beside it and goes on there.
    parsed.format === 'jsonl' ? 1 : 0,
    timeMs(parsed.header.lastUpdated),
    parsed.messages.length,
    // A project's hash folder was copied to its slug folder (0.29+) and is stale since.
    /^[0-9a-f]{64}$/.test(projectFolder) ? 0 : 1,
  ]
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((rank, index) => (b[index] ?? 0) - rank).find((difference) => difference !== 0) ?? 0
}

function timeMs(time: string | null): number {
  return time === null ? 0 : Date.parse(time) || 0
}

/** Sorts files by path, then by home. */
export function comparePlace(a: StitchFile, b: StitchFile): number {
  return compareText(a.parsed.path, b.parsed.path) || compareText(a.home, b.home)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
