import type { Cost } from 'gemini-sessions'
import { formatFineCost } from '../../lib/figures/format.ts'

/** `, $0.012`; nothing where no price is known. */
export function costText(cost: Cost): string {
  return cost.usd === null ? '' : `, ${formatFineCost(cost)}`
}
