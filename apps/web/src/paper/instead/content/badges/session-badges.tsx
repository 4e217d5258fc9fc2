import type { Cut } from 'gemini-sessions'
import { formatSize } from '../../../../lib/figures/format.ts'

/** Says that not even the program holds all of something. Nothing where it does. */
export function NotHeld({ of }: { of: readonly (Cut | undefined)[] }) {
  const cut = of.find((each) => each?.raw !== undefined)
  if (cut?.raw === undefined) return null
  return (
    <p className="not-held">
      Of {formatSize(cut.raw.sizeBytes)} only the first {formatSize(cut.sizeBytes)} can be shown.
    </p>
  )
}
