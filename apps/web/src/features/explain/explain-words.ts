import type { UnknownCostReason } from '@gemini-dash/api'
import { formatCount } from '../../lib/figures/format.ts'

/** Why there is no price, or none for a part. */
export const UNKNOWN_REASON: Record<UnknownCostReason, string> = {
  'no-tokens': 'no tokens are recorded',
  'no-breakdown': 'only the total of its tokens is recorded',
  'bad-numbers': 'its recorded tokens are no counts',
  'unknown-figures': 'some of its tokens have a name or a form that is not known',
  'bad-time': 'its time cannot be read',
  'no-model': 'its model is not recorded',
  'routing-name': 'the recorded name stands for a choice between models',
  'unknown-model': 'the price list does not know its model',
  'unpriced-model': 'the price list has no price for its model',
  plan: 'prices are switched off (“plan”: “nothing” in prices.json)',
}

/** `for calls of at most 200,000 input tokens`; '' where one price holds for all. */
export function tierWords(aboveInputTokens: number, upToInputTokens: number | null): string {
  if (aboveInputTokens > 0) return `for calls of more than ${formatCount(aboveInputTokens)} input tokens`
  return upToInputTokens === null ? '' : `for calls of at most ${formatCount(upToInputTokens)} input tokens`
}

/** `line 35`, `line 1, message 3`, `message 3`; the file itself where it is one record. */
export function recordPlace({
  line,
  index,
}: {
  line?: number | null | undefined
  index?: number | null | undefined
}): string {
  const parts = [line == null ? [] : `line ${line}`, index == null ? [] : `message ${index + 1}`]
  return parts.flat().join(', ') || 'record'
}

export function fileName(path: string): string {
  return path.split('/').at(-1) ?? path
}
