import type { ReactNode } from 'react'
import { PartBorder } from './part-border.tsx'
import { PartFailed } from './part-failed.tsx'

/** Around a panel: if something in it throws, the rest of the page stays. */
export function Border({ children }: { children: ReactNode }) {
  return (
    <PartBorder failed={(error, onRetry) => <PartFailed error={error} onRetry={onRetry} />}>
      {children}
    </PartBorder>
  )
}
