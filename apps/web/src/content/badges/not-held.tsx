import './not-held.css'
import type { Cut } from 'gemini-sessions'
import { formatSize } from '../../lib/figures/format.ts'

/** Says that not even the server holds all of something, and where it is. Nothing where it does. */
export function NotHeld({ of }: { of: readonly (Cut | undefined)[] }) {
  const cut = of.find((each) => each?.raw !== undefined)
  if (cut?.raw === undefined) return null
  return (
    <p className="not-held">
      Of {formatSize(cut.raw.sizeBytes)} only the first {formatSize(cut.sizeBytes)} can be shown.{' '}
      <a className="link" href={cut.raw.href} download>
        Save the raw record
      </a>
    </p>
  )
}
