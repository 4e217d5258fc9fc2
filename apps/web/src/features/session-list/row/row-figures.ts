import { areToolsRecorded } from '@gemini-dash/api/tools-recorded'
import type { Cost, SessionFailures, SessionSummary } from 'gemini-sessions'
import { recordedTokens } from '../../../lib/session/recorded-tokens.ts'

/** What the columns of a row show, ever recorded; null where a figure is not known (yet). */
export type RowFigures = {
  models: { name: string; calls: number }[]
  turns: number
  /** null: the CLI did not record them. */
  toolCalls: number | null
  failures: SessionFailures
  /** Sub-agents included. */
  tokens: number | null
  cost: Cost | null
}

/** null until the session is read whole, and where its file cannot be read. */
export function rowFigures(session: SessionSummary): RowFigures | null {
  const { counts, recorded, failures, models, withSubagents } = session
  if (counts === null || recorded === null || failures === null || isUnreadable(session)) return null
  return {
    models: models ?? [],
    turns: recorded.turns,
    toolCalls: areToolsRecorded(session) ? recorded.toolCalls : null,
    failures,
    tokens: recordedTokens(withSubagents.usage),
    cost: withSubagents.cost,
  }
}

/** Nothing in any file of this session could be read. */
export function isUnreadable(session: SessionSummary): boolean {
  const isDamaged = session.files.length > 0 && session.files.every((file) => file.role === 'damaged')
  return isDamaged && !session.counts?.messages
}
