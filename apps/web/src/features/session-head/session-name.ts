import type { SessionSummary } from 'gemini-sessions'

/** The title; of a session without one, the name of its file. */
export function sessionName(session: SessionSummary): string {
  return session.title || session.files[0]?.path.split('/').at(-1) || 'Session without a name'
}
