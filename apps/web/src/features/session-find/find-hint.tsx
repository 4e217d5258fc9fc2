import './find-bar.css'
import { useEffect, useState } from 'react'
import { focusMain } from '../../lib/browser/focus-main.ts'
import { keptChoice } from '../../lib/browser/kept-choice.ts'
import { hearPageFind } from '../../lib/browser/page-find.ts'
import { Button } from '../../ui/buttons/button.tsx'

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
