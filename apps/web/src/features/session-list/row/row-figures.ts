import { areToolsRecorded } from '@gemini-dash/api/tools-recorded'
import type { Cost, SessionFailures, SessionSummary } from 'gemini-sessions'
import { type OwnShare, ownShare } from '../../../lib/session/own-share.ts'
import { recordedTokens } from '../../../lib/session/recorded-tokens.ts'

/** What the columns of a row show, ever recorded and with sub-agents; null where a figure is not known (yet). */
export type RowFigures = {
  models: { name: string; calls: number }[]
  turns: number
  /** null: the CLI did not record them. */
  toolCalls: number | null
  failures: SessionFailures
  tokens: number | null
  cost: Cost | null
  /** null: it has no sub-agents. */
  own: OwnShare | null
}

/** null until the session is read whole, and where its file cannot be read. */
export function rowFigures(session: SessionSummary): RowFigures | null {
  const { counts, recorded, models, withSubagents } = session
  const { failures } = withSubagents
  if (counts === null || recorded === null || failures === null || isUnreadable(session)) return null
  return {
    models: models ?? [],
    turns: recorded.turns,
    toolCalls: areToolsRecorded(session) ? withSubagents.toolCalls : null,
    failures,
    tokens: recordedTokens(withSubagents.usage),
    cost: withSubagents.cost,
    own: ownShare(session),
  }
}

/** Nothing in any file of this session could be read. */
export function isUnreadable(session: SessionSummary): boolean {
  const isDamaged = session.files.length > 0 && session.files.every((file) => file.role === 'damaged')
  return isDamaged && !session.counts?.messages
}
