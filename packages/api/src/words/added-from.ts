import type { SessionSummary } from 'gemini-sessions'

/** The name of the file from which a session was added to the archive; null if it was not. */
export function addedFrom({ files }: Pick<SessionSummary, 'files'>): string | null {
  return files.find(({ kept }) => kept?.cause === 'added')?.kept?.from ?? null
}
