import { closeSync, openSync, readSync } from 'node:fs'
import { latestTime } from '../derive/messages/message-times.ts'
import { READ_ONLY_FLAGS } from './files/read-only-flags.ts'
import { TimeSlice } from './files/time-slice.ts'
import type { DiscoveredFile } from './scan/scan.ts'

/** The second is for files that end in one long record. */
const TAIL_BYTES = [16 * 1024, 512 * 1024]
const TIME = /"(?:timestamp|lastUpdated)":\s*"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g

/**
 * The latest time that stands near the end of each file: nearly always that of its last message, without reading the rest.
 * A file that is gone, refused, or names no time there has no entry. Synchronous calls in slices, as for heads.
 */
export async function readLastTimes(files: readonly DiscoveredFile[]): Promise<Map<DiscoveredFile, string>> {
  const times = new Map<DiscoveredFile, string>()
  const slice = new TimeSlice()
  for (const file of files) {
    if (slice.isOver()) await slice.next()
    try {
      const time = readLastTime(file)
      if (time !== null) times.set(file, time)
    } catch {
      // Whoever reads the whole file says why it cannot be read.
    }
  }
  return times
}

function readLastTime({ absolutePath, sizeBytes }: DiscoveredFile): string | null {
  const descriptor = openSync(absolutePath, READ_ONLY_FLAGS)
  try {
    for (const tailBytes of TAIL_BYTES) {
      const time = lastTimeIn(descriptor, Math.min(tailBytes, sizeBytes), sizeBytes)
      if (time !== null || tailBytes >= sizeBytes) return time
    }
    return null
  } finally {
    closeSync(descriptor)
  }
}

function lastTimeIn(descriptor: number, tailBytes: number, sizeBytes: number): string | null {
  const bytes = Buffer.allocUnsafe(tailBytes)
  const bytesRead = readSync(descriptor, bytes, 0, tailBytes, sizeBytes - tailBytes)
  const text = bytes.toString('latin1', 0, bytesRead)
  return latestTime([...text.matchAll(TIME)].map(([, time]) => time ?? null))
}
