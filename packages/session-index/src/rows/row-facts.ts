import type { SearchField } from '@gemini-dash/api'
import { type PriceOverrides, priceCall } from '@gemini-dash/pricing'
import type { Message, Part, SessionSummary, ToolOutput } from 'gemini-sessions'
import { contentField, type FieldPiece } from '../text/field-pieces.ts'
import { type RowCall, rowCall } from './row-call.ts'
import { ROW_FLAGS } from './row-flags.ts'

/** What filters ask of a row, beside its text and time. */
export interface RowFacts {
  /** Of `ROW_FLAGS`. */
  flags: number
  /** Of the message's call; of all calls where the row is a title. NaN where none are recorded. */
  tokens: number
  /** The same in USD; NaN where the price is unknown. */
  cost: number
  /** The field of the hit when no word was asked for. */
  mainField: SearchField
  calls: RowCall[]
}

/** @param failure flags of what failed at this message, as the session knows */
export function messageFacts(
  message: Message,
  pieces: FieldPiece[],
  failure: number,
  prices?: PriceOverrides,
): RowFacts {
  const { usage, toolCalls } = message
  const field = contentField(message)
  const hasOwnText = pieces.some((piece) => piece.field === field)
  return {
    flags: messageFlags(message) | failure,
    tokens: usage?.total ?? Number.NaN,
    cost: usage === null ? Number.NaN : (priceCall(message, prices) ?? Number.NaN),
    mainField: hasOwnText ? field : (pieces[0]?.field ?? field),
    calls: toolCalls.map(rowCall),
  }
}

export function titleFacts(summary: SessionSummary): RowFacts {
  return {
    flags: 0,
    tokens: summary.usage?.total ?? Number.NaN,
    cost: summary.cost?.usd ?? Number.NaN,
    mainField: 'title',
    calls: [],
  }
}

function messageFlags({ superseded, toolCalls, content, thoughts }: Message): number {
  let flags = 0
  if (superseded !== null) flags |= ROW_FLAGS.superseded
  if (thoughts.length > 0) flags |= ROW_FLAGS.thoughts
  for (const part of content) flags |= shownFlags(part)
  for (const { output, display, extraParts } of toolCalls) {
    flags |= shownFlags(output) | (display === null ? 0 : shownFlags(display))
    for (const part of extraParts) flags |= shownFlags(part)
  }
  return flags
}

function shownFlags({ kind }: ToolOutput | Part): number {
  if (kind === 'diff') return ROW_FLAGS.diff
  return kind === 'image' ? ROW_FLAGS.image : 0
}
