import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { lazyPanel } from '../../ui/lazy/lazy-panel.tsx'

const JsonTreeView = lazyPanel(() => import('./json-tree-view.tsx'))

/** Any JSON value as a tree, once its drawing is loaded. */
export function JsonTree(props: ComponentProps<typeof JsonTreeView>) {
  return (
    <Suspense fallback={<p className="loading-line">Drawing the data</p>}>
      <JsonTreeView {...props} />
    </Suspense>
  )
}
