import type { SessionCalls } from '@gemini-dash/api'
import type { ContextBlock, ContextXray } from 'gemini-sessions'

/** What filled the prompt of each call, a line each. The columns of estimates add up to `input_tokens`. */
export function contextCsv({ calls, blocks }: ContextXray): string {
  const lines = calls.map((call, index): Cell[] => [
    index + 1,
    call.turn,
    call.messageKey,
    call.superseded,
    call.input,
    call.cached,
    call.resent,
    call.inputUsd,
    call.savedUsd,
    ...call.tokens,
  ])
  return toCsv([[...CONTEXT_COLUMNS, ...blocks.map(blockHead)], ...lines])
}

const CONTEXT_COLUMNS = [
  'call',
  'turn',
  'message',
  'superseded',
  'input_tokens',
  'cached_tokens',
  'sent_before_tokens',
  'input_usd',
  'saved_by_cache_usd',
]

function blockHead({ kind, name }: ContextBlock): string {
  return `estimated_${kind}${name === '' ? '' : ` ${name}`}`
}

/** The calls of a session, a line each. `input_tokens` holds the cached ones too, as it is recorded. */
export function callsCsv(calls: SessionCalls): string {
  const superseded = new Map(calls.superseded)
  const failed = new Set(calls.failed)
  const higher = new Set(calls.atHigherRate)
  const lines = calls.messageKeys.map((messageKey, index): Cell[] => {
    const time = calls.times[index] ?? null
    const isRecorded = (calls.input[index] ?? null) !== null
    const tokens = [calls.cached, calls.output, calls.thoughts, calls.tool].map((of) => of[index])
    return [
      index + 1,
      calls.turns[index],
      messageKey,
      time === null ? null : new Date(time).toISOString(),
      calls.models[calls.modelOf[index] ?? -1]?.name,
      calls.input[index],
      ...tokens.map((count) => (isRecorded ? count : null)),
      calls.usd[index],
      higher.has(index) ? 'higher' : '',
      superseded.get(index),
      failed.has(index) ? 'yes' : '',
    ]
  })
  return toCsv([CALL_COLUMNS, ...lines])
}

const CALL_COLUMNS = [
  'call',
  'turn',
  'message',
  'time',
  'model',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'thoughts_tokens',
  'tool_tokens',
  'cost_usd',
  'rate',
  'superseded',
  'tool_failed',
]

export type Cell = string | number | null | undefined

/** Lines of cells as RFC 4180 has them. */
export function toCsv(lines: readonly (readonly Cell[])[]): string {
  return lines.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

/** Nothing recorded is empty, never 0. */
function toCell(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const text = disarm(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Titles and names come from anywhere: a spreadsheet would run one that begins like a formula. */
function disarm(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
