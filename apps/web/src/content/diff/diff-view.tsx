import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { lazyPanel } from '../../ui/lazy/lazy-panel.tsx'

const DiffTable = lazyPanel(() => import('./diff-table.tsx'))

/** The diff, once its drawing is loaded; its place is kept meanwhile. */
export function DiffView(props: ComponentProps<typeof DiffTable>) {
  return (
    <Suspense fallback={<p className="loading-line">Drawing the diff</p>}>
      <DiffTable {...props} />
    </Suspense>
  )
}
