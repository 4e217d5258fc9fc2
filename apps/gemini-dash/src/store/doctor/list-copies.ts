import type { Doctor } from '@gemini-dash/api'
import type { ExaminedSession } from './examined-session.ts'
import { toSessionLink } from './to-session-link.ts'

/** Files that only repeat what another file of their session holds. */
export function listCopies(sessions: readonly ExaminedSession[]): Doctor['copies'] {
  return sessions.flatMap((session) =>
    session.summary.files.flatMap(({ home, path, role }) =>
      role === 'copy' || role === 'twin'
        ? [{ path: `${home}/${path}`, role, ...toSessionLink(session) }]
        : [],
    ),
  )
}
