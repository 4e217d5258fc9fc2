import type { ContextXray } from 'gemini-sessions'
import { formatCount, formatPercent } from '../../lib/figures/format.ts'
import { blockName } from './xray-series.ts'

/** So many blocks are worth hearing. */
const SPOKEN_BLOCKS = 3

/** The prompt of a call in words, for screen readers. */
export function promptSentence({ calls, blocks }: ContextXray, position: number): string {
  const call = calls[position]
  if (call === undefined) return ''
  const largest = [...call.tokens.entries()]
    .sort(([, one], [, other]) => other - one)
    .filter(([, tokens]) => tokens > 0)
    .slice(0, SPOKEN_BLOCKS)
    .map(([block, tokens]) => `${blockName(blocks[block])} ${formatPercent(tokens / call.input)}`)
  const grew = call.grew === null ? [] : [`grew by ${blockName(blocks[call.grew.block])}`]
  return [
    `Call ${position + 1}, turn ${call.turn}: ${formatCount(call.input)} tokens sent`,
    ...largest,
    ...grew,
  ].join(', ')
}
