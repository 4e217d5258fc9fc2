import type { ComponentProps } from 'react'
import { lazy, Suspense } from 'react'

const DiffTable = lazy(() => import('./diff-table.tsx'))

/** The diff, once its drawing is loaded; its place is kept meanwhile. */
export function DiffView(props: ComponentProps<typeof DiffTable>) {
  return (
    <Suspense fallback={<p className="loading-line">Drawing the diff</p>}>
      <DiffTable {...props} />
    </Suspense>
  )
}
