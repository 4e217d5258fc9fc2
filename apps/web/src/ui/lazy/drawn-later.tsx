import type { ReactNode } from 'react'
import { useDrawnLater } from '../../lib/hooks/use-drawn-later.ts'

interface Props {
  /** What stands there until then. */
  placeholder: ReactNode
  /** Built only then. */
  children: () => ReactNode
}

/** Something large that has just come: drawn in pieces, so that nothing is held up. */
export function DrawnLater({ placeholder, children }: Props) {
  return useDrawnLater() ? children() : placeholder
}
