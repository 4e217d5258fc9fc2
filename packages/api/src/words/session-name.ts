import type { SessionSummary } from 'gemini-sessions'

/** The title; for a session without one, its file name: the same in every list, on the page and on the command line. */
export function sessionName({
  title,
  files,
  sessionId,
}: Pick<SessionSummary, 'title' | 'files' | 'sessionId'>): string {
  return title || files[0]?.path.split('/').at(-1) || sessionId
}
