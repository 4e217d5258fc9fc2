import type { SessionSummary } from 'gemini-sessions'

/** What a session is called in a list; its file's name where nothing was said in it. */
export function sessionLabel(session: SessionSummary): { text: string; isFileName: boolean } {
  const text = session.title || session.firstPrompt
  if (text) return { text, isFileName: false }
  const fileName = session.files[0]?.path.split('/').at(-1)
  return { text: fileName ?? session.sessionId, isFileName: true }
}
