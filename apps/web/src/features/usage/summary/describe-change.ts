import { formatCount, formatPercent } from '../../../lib/figures/format.ts'

/** More than this is told as a multiple. */
const MOST_PERCENT = 10

/** `18 % more than before`, `12 % less than before`, `no earlier sessions` */
export function describeChange(now: number, before: number): string {
  if (now === before) return 'as before'
  if (before === 0) return 'no earlier sessions'
  const change = Math.abs(now - before) / before
  const word = now > before ? 'more' : 'less'
  if (change >= MOST_PERCENT) return `${formatCount(now / before)} times as before`
  return `${formatPercent(change)} ${word} than before`
}

/** Of two rates: `4 points more than before`. Half a point is no change that anyone would see. */
export function describeRateChange(now: number | null, before: number | null): string | false {
  if (now === null) return false
  if (before === null) return 'no earlier sessions'
  const points = Math.round(Math.abs(now - before) * 100)
  if (points === 0) return 'as before'
  return `${points} ${points === 1 ? 'point' : 'points'} ${now > before ? 'more' : 'less'} than before`
}
