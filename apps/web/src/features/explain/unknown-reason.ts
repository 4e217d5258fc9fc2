import type { UnknownCostReason } from '@gemini-dash/api'

/** Why there is no price. */
export const UNKNOWN_REASON: Record<UnknownCostReason, string> = {
  'no-tokens': 'no tokens are recorded',
  'no-breakdown': 'only the total of its tokens is recorded',
  'bad-numbers': 'its recorded tokens are no counts',
  'bad-time': 'its time cannot be read',
  'no-model': 'its model is not recorded',
  'routing-name': 'the recorded name stands for a choice between models',
  'unknown-model': 'the price list does not know its model',
  'unpriced-model': 'the price list has no price for its model',
  plan: 'prices are switched off (“plan”: “nothing” in prices.json)',
}
