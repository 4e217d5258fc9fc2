import type { Cost } from 'gemini-sessions'
import { formatFineUsd } from '../../lib/format.ts'

/** `, $0.012`; nothing where no price is known. */
export function costText({ usd, unpricedCalls }: Cost): string {
  if (usd === null) return ''
  return `, ${formatFineUsd(usd)}${unpricedCalls > 0 ? '+' : ''}`
}
