import type { UsageQuery, UsageRow } from '@gemini-dash/api'

/** The largest rows by what is asked for, no more of them than that; as they are where nothing is. */
export function largestRows(
  rows: UsageRow[],
  { order, limit }: Pick<UsageQuery, 'order' | 'limit'>,
): UsageRow[] {
  const ordered =
    order === 'tokens' ? rows.toSorted((a, b) => (b.usage?.total ?? 0) - (a.usage?.total ?? 0)) : rows
  return limit === undefined ? ordered : ordered.slice(0, limit)
}
