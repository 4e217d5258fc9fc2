import { existsSync } from 'node:fs'
import { TimeSlice } from '../files/time-slice.ts'
import type { GeminiHome } from './find-homes.ts'
import { HomeReader } from './home-reader.ts'
import type { Scan } from './scan.ts'
import { scanProject } from './scan-project.ts'

/**
 * Finds every session file of these homes by names and stat alone; opens nothing but the tiny project markers.
 * Synchronous calls in slices of a few milliseconds: five times as fast as a promise for each file, and the event
 * loop stays free.
 */
export async function scanHomes(homes: readonly GeminiHome[]): Promise<Scan> {
  const scan: Scan = { projects: [], files: [], skipped: [] }
  const slice = new TimeSlice()
  for (const home of homes) {
    const reader = HomeReader.open(home, scan.skipped)
    if (reader === null) {
      if (!existsSync(home.tmpPath)) scan.missing = [...(scan.missing ?? []), home.tmpPath]
      continue
    }
    for (const entry of reader.list(home.tmpPath)) await scanProject(reader, entry, scan, slice)
  }
  return scan
}
