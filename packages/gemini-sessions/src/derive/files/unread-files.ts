import type { Session } from '../../model/session.ts'

/** A file that the system did not let us read, or that was not there when it was to be read. */
export interface UnreadFile {
  /** Relative to its home. */
  path: string
  /** Of the system: `EACCES`, `EIO`, `EMFILE`, ... */
  code: string
}

/**
 * Files of these sessions that could not be read when they were read, and may be another time. Damaged content is not such a
 * fault. `found`: what was to be read. What of that is no session's file had gone by then, and may come back as it was: a
 * disk, or a folder that was renamed.
 */
export function unreadFiles(
  sessions: readonly Pick<Session, 'issues' | 'files'>[],
  found: readonly { home: string; path: string }[] = [],
): UnreadFile[] {
  const codes = new Map<string, string>()
  for (const { issues } of sessions) {
    for (const { code, args, file } of issues) {
      if (code === 'unreadable' && typeof args.errno === 'string') codes.set(file, args.errno)
    }
  }
  const read = new Set(sessions.flatMap(({ files }) => files.map(placeOf)))
  for (const file of found) if (!read.has(placeOf(file))) codes.set(file.path, 'ENOENT')
  return [...codes].map(([path, code]) => ({ path, code }))
}

function placeOf({ home, path }: { home: string; path: string }): string {
  return `${home}\n${path}`
}
