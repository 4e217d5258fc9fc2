import type { TranscriptQuery } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { fetchJson } from '../request/fetch-json.ts'

/** A message, a turn or (neither named) the whole session as text, uncut. */
export async function fetchTranscript(sessionRef: string, query: TranscriptQuery): Promise<string> {
  const { text } = await fetchJson<{ text: string }>(apiPaths.transcript(sessionRef, query))
  return text
}
