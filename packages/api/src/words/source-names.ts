import type { SessionProgram } from 'gemini-sessions'

/** What the programs that record sessions are called. */
export const SOURCE_NAMES: Readonly<Record<SessionProgram, string>> = {
  'gemini-cli': 'Gemini CLI',
  'antigravity-cli': 'Antigravity CLI',
}

/** All of them. */
export const SOURCES = Object.keys(SOURCE_NAMES) as SessionProgram[]

/** What is to be known beside each cost of a program whose use a subscription can pay; null: nothing. */
export function costCaveat(source: SessionProgram): string | null {
  return source === 'antigravity-cli' ? 'API list price, not what a subscription was charged.' : null
}
