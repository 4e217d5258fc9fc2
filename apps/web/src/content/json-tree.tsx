import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { usePaper } from '../lib/paper.ts'
import { lazyPanel } from '../ui/lazy.tsx'
import { ScrollRegion } from '../ui/scroll-region.tsx'
import { linesOfJson, openLevels } from './lazy-blocks.tsx'
import { MachineText } from './machine-text.tsx'

const JsonTreeView = lazyPanel(() => import('./json-tree-view.tsx'))

/** Line height and padding of the tree, and the height at which it starts to scroll. */
const LINE_REM = 1.25
const EDGES_REM = 1
const MOST_REM = 30

/** Any JSON value as a tree, loaded lazily. */
export function JsonTree(props: ComponentProps<typeof JsonTreeView>) {
  if (usePaper() !== null) return <JsonText {...props} />
  return (
    <Suspense fallback={<Loading value={props.value} />}>
      <JsonTreeView {...props} />
    </Suspense>
  )
}

/** Any JSON value as formatted text: the tree needs scripts. */
function JsonText({ value, label }: ComponentProps<typeof JsonTreeView>) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  return (
    <ScrollRegion label={label} className="json-region">
      <pre dir="ltr">
        <MachineText text={text} />
      </pre>
    </ScrollRegion>
  )
}

/** About as high as the tree: failed calls start open, and what is below them is being read. */
function Loading({ value }: { value: unknown }) {
  const lines = linesOfJson(value, openLevels(value))
  const minHeight = `${Math.min(lines * LINE_REM + EDGES_REM, MOST_REM)}rem`
  return (
    <p className="loading-line" style={{ minHeight }}>
      Drawing the data
    </p>
  )
}
