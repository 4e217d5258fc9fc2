import type { ExaminedSession } from './examined-session.ts'

/** A session with a name to show: without a title, that of its file. */
export function toSessionLink({ summary }: ExaminedSession): { sessionKey: string; title: string } {
  const fileName = summary.files[0]?.path.split('/').at(-1)
  return { sessionKey: summary.key, title: summary.title || (fileName ?? summary.sessionId) }
}
