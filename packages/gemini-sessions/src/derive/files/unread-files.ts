import type { Session } from '../../model/session.ts'

/** A file that the system did not let us read. */
export interface UnreadFile {
  /** Relative to its home. */
  path: string
  /** Of the system: `EACCES`, `EIO`, `EMFILE`, ... */
  code: string
}

/** Files of these sessions that could not be read when they were read, and may be another time. Damaged content is not such a fault. */
export function unreadFiles(sessions: readonly Pick<Session, 'issues'>[]): UnreadFile[] {
  const codes = new Map<string, string>()
  for (const { issues } of sessions) {
    for (const { code, args, file } of issues) {
      if (code === 'unreadable' && typeof args.errno === 'string') codes.set(file, args.errno)
    }
  }
  return [...codes].map(([path, code]) => ({ path, code }))
}
