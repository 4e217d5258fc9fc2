import './session-find.css'
import type { FindResult } from '@gemini-dash/api'
import { useEffect, useState } from 'react'
import { focusMain, hearPageFind, keptChoice } from '../lib/browser.ts'
import { formatCount, formatPlural } from '../lib/figures.ts'
import { Button } from '../ui/buttons/button.tsx'

/** Said once to each reader. */
const wasSaid = keptChoice<boolean>(
  'gemini-dash.find-hint',
  (kept) => kept === 'said',
  (isSaid) => (isSaid ? 'said' : null),
)

/** At the first call of the browser's own find: it sees what is near the window, and which key finds everywhere. */
export function FindHint({ onFind }: { onFind: () => void }) {
  const [isShown, setIsShown] = useState(false)
  useEffect(
    () =>
      hearPageFind(() => {
        if (wasSaid.get() || isAllDrawn()) return
        wasSaid.set(true)
        setIsShown(true)
      }),
    [],
  )
  return (
    <div role="status">
      {isShown && (
        <p className="find-hint">
          <span>
            Your browser finds what is drawn near the window. Press <kbd>f</kbd> to find in the whole session.
          </span>
          <Button
            size="tiny"
            onClick={() => {
              setIsShown(false)
              onFind()
            }}
          >
            Find in this session
          </Button>
          <Button
            look="quiet"
            size="tiny"
            onClick={() => {
              setIsShown(false)
              focusMain()
            }}
          >
            Close
          </Button>
        </p>
      )}
    </div>
  )
}

/** Nothing of the conversation lies above or below what is drawn of it. */
function isAllDrawn(): boolean {
  const space = document.querySelector('.conversation-space')?.getBoundingClientRect()
  const rows = [...document.querySelectorAll('.conversation-row')].map((row) => row.getBoundingClientRect())
  if (space === undefined || rows.length === 0) return true
  const top = Math.min(...rows.map((row) => row.top))
  const bottom = Math.max(...rows.map((row) => row.bottom))
  return top - space.top <= 1 && space.bottom - bottom <= 1
}

type FoundPlace = { messageKey: string; offset: number; hits: number }

/** Messages with a hit, each once, in reading order. */
export function foundPlaces(hits: FindResult['hits']): FoundPlace[] {
  const places = new Map<string, FoundPlace>()
  for (const { messageKey, offset } of hits) {
    const place = places.get(messageKey)
    if (place === undefined) places.set(messageKey, { messageKey, offset, hits: 1 })
    else place.hits += 1
  }
  return [...places.values()]
}

/** Which of all hits are in the message that was gone to, counted as a search over all sessions counts them. */
export function countText(places: readonly FoundPlace[], index: number): string {
  const upTo = (end: number) => places.slice(0, end).reduce((sum, { hits }) => sum + hits, 0)
  const total = upTo(places.length)
  if (total === 0) return 'Nothing found'
  if (index === -1) return formatPlural(total, 'result')
  const [first, last] = [upTo(index) + 1, upTo(index + 1)]
  return `${formatCount(first)}${last > first ? `–${formatCount(last)}` : ''} of ${formatCount(total)}`
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
