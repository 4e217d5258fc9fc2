import type { ComponentProps } from 'react'
import { Suspense } from 'react'
import { lazyPanel } from '../../ui/lazy/lazy-panel.tsx'
import { parsePatch } from './parse-patch.ts'

const DiffTable = lazyPanel(() => import('./diff-table.tsx'))

const LINE_REM = 1.25
const MOST_REM = 40

/** The diff, once its drawing is loaded; its place is kept meanwhile. */
export function DiffView(props: ComponentProps<typeof DiffTable>) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <DiffTable {...props} />
    </Suspense>
  )
}

/** As high as the diff will be. */
function Waiting({ patch, maxLines }: ComponentProps<typeof DiffTable>) {
  const lineCount = Math.min(parsePatch(patch).length, maxLines)
  const minHeight = `${Math.min(lineCount * LINE_REM, MOST_REM)}rem`
  return (
    <p className="loading-line" style={{ minHeight }}>
      Drawing the diff
    </p>
  )
}
