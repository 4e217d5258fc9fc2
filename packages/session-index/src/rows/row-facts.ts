import type { SearchField } from '@gemini-dash/api'
import { type PriceOverrides, priceCall } from '@gemini-dash/pricing'
import type { Message, Part, ToolOutput } from 'gemini-sessions'
import type { SessionRecord } from '../session-record.ts'
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

export function messageFacts(message: Message, pieces: FieldPiece[], prices?: PriceOverrides): RowFacts {
  const { usage, toolCalls } = message
  const field = contentField(message)
  const hasOwnText = pieces.some((piece) => piece.field === field)
  return {
    flags: messageFlags(message),
    tokens: usage?.total ?? Number.NaN,
    cost: usage === null ? Number.NaN : (priceCall(message, prices) ?? Number.NaN),
    mainField: hasOwnText ? field : (pieces[0]?.field ?? field),
    calls: toolCalls.map(rowCall),
  }
}

export function titleFacts({ summary }: SessionRecord): RowFacts {
  return {
    flags: 0,
    tokens: summary.usage?.total ?? Number.NaN,
    cost: summary.cost?.usd ?? Number.NaN,
    mainField: 'title',
    calls: [],
  }
}

function messageFlags({ type, superseded, toolCalls, content, thoughts }: Message): number {
  const outputs = toolCalls.flatMap(({ output, display }) =>
    display === null ? [output] : [output, display],
  )
  const parts = [...content, ...toolCalls.flatMap(({ extraParts }) => extraParts)]
  const isImage = ({ kind }: ToolOutput | Part) => kind === 'image'
  let flags = 0
  if (type === 'error' || toolCalls.some(({ failed }) => failed)) flags |= ROW_FLAGS.error
  if (superseded !== null) flags |= ROW_FLAGS.superseded
  if (outputs.some(({ kind }) => kind === 'diff')) flags |= ROW_FLAGS.diff
  if (parts.some(isImage) || outputs.some(isImage)) flags |= ROW_FLAGS.image
  if (thoughts.length > 0) flags |= ROW_FLAGS.thoughts
  return flags
}
