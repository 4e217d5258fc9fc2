import { formatTokens as formatTokenCount } from '@gemini-dash/api/format-tokens'
import type { Cost, TokenUsage } from 'gemini-sessions'

/** What is not known is a dash, never 0. */
const UNKNOWN = '-'

/** Whole numbers only. By hand: the first number that `Intl` formats costs a start 20 ms. */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : String(value).replace(THOUSANDS, ',')
}

const THOUSANDS = /\B(?=(\d{3})+$)/g

export function formatTokens(usage: TokenUsage | null): string {
  return usage === null || (usage.calls > 0 && usage.calls === usage.callsWithoutTokens)
    ? UNKNOWN
    : formatTokenCount(usage.total)
}

export function formatCost(cost: Cost | null): string {
  if (cost === null || cost.usd === null) return UNKNOWN
  const digits = cost.usd !== 0 && cost.usd < 1 ? 4 : 2
  // A plus: some of its calls have no known price.
  return `$${cost.usd.toFixed(digits)}${cost.unpricedCalls > 0 ? '+' : ''}`
}

/** Local time, to the minute. */
export function formatTime(iso: string | null): string {
  if (iso === null) return UNKNOWN
  const time = new Date(iso)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}
