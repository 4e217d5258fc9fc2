import type { ContextBlock, ContextXray } from 'gemini-sessions'
import { type Cell, toCsv } from './to-csv.ts'

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
  return toCsv([[...HEAD, ...blocks.map(blockHead)], ...lines])
}

const HEAD = [
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
