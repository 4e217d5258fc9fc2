import type { StitchFile } from '../../derive/files/stitch-file.ts'
import type { GroupClaims } from '../../derive/identity/assign-keys.ts'
import { stitchGroup } from '../../derive/stitch/stitch-group.ts'
import type { Session } from '../../model/session.ts'
import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import type { GiveWay } from '../files/time-slice.ts'
import type { DiscoveredFile } from '../scan/scan.ts'
import { readSessionFile } from './read-session-file.ts'

/** What stitching needs to know of a file that was read. */
export function toStitchFile({ home, kept }: DiscoveredFile, parsed: ParsedFile): StitchFile {
  return { home, parsed, kept }
}

/**
 * Reads the files of one group (see `groupFiles`), one after the other, and makes the sessions of them.
 *
 * @param options.claims what `planKeys` says about their keys
 * @param options.giveWay awaited every few milliseconds, so that others have their turn; by default one turn of the event loop
 */
export async function readSessionGroup(
  files: readonly DiscoveredFile[],
  { claims, giveWay }: { claims?: GroupClaims | undefined; giveWay?: GiveWay } = {},
): Promise<Session[]> {
  const read: StitchFile[] = []
  for (const file of files) {
    const parsed = await readSessionFile(file, giveWay)
    if (parsed === null) continue
    read.push(toStitchFile(file, parsed))
  }
  return stitchGroup(read, claims)
}
