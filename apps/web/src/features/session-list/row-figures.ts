import type { Cost, SessionSummary, TokenUsage } from 'gemini-sessions'
import { areToolsRecorded } from '../../lib/are-tools-recorded.ts'

/** What the columns of a row show; null where a figure is not known (yet). */
export type RowFigures = {
  models: { name: string; calls: number }[]
  prompts: number
  /** null: the CLI did not record them. */
  toolCalls: number | null
  toolErrors: number
  /** Sub-agents included. */
  tokens: number | null
  cost: Cost | null
}

/** null until the session is read whole, and where its file cannot be read. */
export function rowFigures(session: SessionSummary): RowFigures | null {
  const { counts, models, withSubagents } = session
  if (counts === null || isUnreadable(session)) return null
  return {
    models: models ?? [],
    prompts: counts.prompts,
    toolCalls: areToolsRecorded(session) ? counts.toolCalls : null,
    toolErrors: counts.toolErrors,
    tokens: recordedTokens(withSubagents.usage),
    cost: withSubagents.cost,
  }
}

/** Calls whose tokens the CLI did not record are not calls of zero tokens. */
function recordedTokens(usage: TokenUsage | null): number | null {
  if (usage === null || usage.callsWithoutTokens === usage.calls) return null
  return usage.total
}

/** Nothing in any file of this session could be read. */
export function isUnreadable(session: SessionSummary): boolean {
  const isDamaged = session.files.length > 0 && session.files.every((file) => file.role === 'damaged')
  return isDamaged && !session.counts?.messages
}
