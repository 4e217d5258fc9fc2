import type { Doctor } from '@gemini-dash/api'
import type { ExaminedSession } from './facts/examined-session.ts'
import { toSessionLink } from './facts/to-session-link.ts'

/** Files that only repeat what another file of their session holds. */
export function listCopies(sessions: readonly ExaminedSession[]): Doctor['copies'] {
  // Before a session is read whole, what its files are to each other is a guess.
  const known = sessions.filter(({ summary }) => summary.indexed === 'full')
  return known.flatMap((session) =>
    session.summary.files.flatMap(({ home, path, role }) =>
      role === 'copy' || role === 'twin'
        ? [{ path: `${home}/${path}`, role, ...toSessionLink(session) }]
        : [],
    ),
  )
}
