import type { Figure } from './figure.ts'
import { spreadOf } from './spread.ts'

export type Verdict = 'wanted reached' | 'must reached' | 'must missed'

/** null if nothing was measured, or if there is no target. A wrong answer never reaches a target. */
export function judgeFigure({ target, values, unit, problems }: Figure): Verdict | null {
  if (target === undefined) return null
  if (problems.length > 0) return 'must missed'
  const spread = spreadOf(values)
  if (spread === null) return null
  const value = spread[target.of]
  const reaches = (limit: number): boolean => (unit === 'MB/s' ? value >= limit : value <= limit)
  if (target.wanted !== null && reaches(target.wanted)) return 'wanted reached'
  return reaches(target.must) ? 'must reached' : 'must missed'
}
