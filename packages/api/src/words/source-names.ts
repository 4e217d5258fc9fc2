import type { SessionProgram, SessionSummary } from 'gemini-sessions'

/** Names of the programs that record sessions. */
export const SOURCE_NAMES: Readonly<Record<SessionProgram, string>> = {
  'gemini-cli': 'Gemini CLI',
  'antigravity-cli': 'Antigravity CLI',
}

/** All programs. */
export const SOURCES = Object.keys(SOURCE_NAMES) as SessionProgram[]

/** A caveat for the costs of a program whose use a subscription may cover; null if none. */
export function costCaveat(source: SessionProgram): string | null {
  return source === 'antigravity-cli' ? 'API list price, not what a subscription was charged.' : null
}

/** The name of the file from which a session was added to the archive; null if it was not. */
export function addedFrom({ files }: Pick<SessionSummary, 'files'>): string | null {
  return files.find(({ kept }) => kept?.cause === 'added')?.kept?.from ?? null
}
