import type { FindResult } from '@gemini-dash/api'

export type FoundPlace = { messageKey: string; offset: number }

/** Messages with a hit, each once, in reading order. */
export function foundPlaces(hits: FindResult['hits']): FoundPlace[] {
  return [...new Map(hits.map(({ messageKey, offset }) => [messageKey, { messageKey, offset }])).values()]
}

/** Index of the place to go to next; round at the ends. Where none was gone to yet, the nearest from the top of the window. */
export function stepFrom(places: readonly FoundPlace[], index: number, top: number, by: 1 | -1): number {
  if (places.length === 0) return -1
  if (index !== -1) return (index + by + places.length) % places.length
  if (by === 1)
    return Math.max(
      places.findIndex(({ offset }) => offset >= top),
      0,
    )
  const before = places.findLastIndex(({ offset }) => offset < top)
  return before === -1 ? places.length - 1 : before
}
