import type { TokenUsage } from 'gemini-sessions'

/** Calls whose tokens the CLI did not record are not calls of zero tokens. */
export function recordedTokens(usage: TokenUsage | null): number | null {
  if (usage === null || usage.callsWithoutTokens === usage.calls) return null
  return usage.total
}
