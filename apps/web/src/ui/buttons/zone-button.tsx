import './dotted-button.css'
import { flushSync } from 'react-dom'
import { currentTime } from '../../lib/figures/current-time.ts'
import { formatZone } from '../../lib/figures/format.ts'
import { ownTimeZone, timeZone, zoneChoice } from '../../lib/figures/time-zone.ts'

const ID = 'zone-button'

/** Names the zone of the times beside it, and changes all times of the page to UTC and back. One a page. */
export function ZoneButton({ time }: { time?: string }) {
  const name = formatZone(time === undefined ? currentTime() : new Date(time))
  const isUtc = zoneChoice.get() === 'utc'
  if (ownTimeZone() === 'UTC') return name
  const label = `Times in ${name}${isUtc ? '' : `, ${timeZone()}`}. Show them in ${isUtc ? ownTimeZone() : 'UTC'}`
  return (
    <button
      type="button"
      id={ID}
      className="dotted-button"
      title={label}
      aria-label={label}
      onClick={() => {
        // all that is on the page is drawn anew, this button too
        flushSync(() => zoneChoice.set(isUtc ? 'own' : 'utc'))
        document.getElementById(ID)?.focus()
      }}
    >
      {name}
    </button>
  )
}
