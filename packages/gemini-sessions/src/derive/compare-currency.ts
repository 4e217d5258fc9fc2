import { comparePlace } from './compare-place.ts'
import { lastMessageTime } from './last-message-time.ts'
import { readSessionPath } from './read-session-path.ts'
import type { StitchFile } from './stitch-file.ts'

/**
 * Sorts the file that holds the newest state of a conversation first (contract rule 2: the latest message time).
 * Equal ones in a fixed order, so that the result does not depend on the order in which files were found.
 */
export function compareCurrency(a: StitchFile, b: StitchFile): number {
  const ranksB = ranks(b)
  const difference = ranks(a)
    .map((rank, index) => (ranksB[index] ?? 0) - rank)
    .find((value) => value !== 0)
  return difference ?? comparePlace(a, b)
}

function ranks({ parsed }: StitchFile): number[] {
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

function timeMs(time: string | null): number {
  return time === null ? 0 : Date.parse(time) || 0
}
