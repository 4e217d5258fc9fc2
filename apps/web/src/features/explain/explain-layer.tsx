import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ExplainContext, type Explained } from '../../content/explain-context.ts'

const ExplainDialog = lazy(() => import('./explain-dialog.tsx'))

interface Props {
  sessionRef: string
  onJump: (messageKey: string, offset: number | null) => void
  children: ReactNode
}

/** Figures of the session that stand in here say how they came about. */
export function ExplainLayer({ sessionRef, onJump, children }: Props) {
  const [figure, setFigure] = useState<Explained | null>(null)
  return (
    <ExplainContext value={setFigure}>
      {children}
      {figure !== null && (
        <Suspense fallback={null}>
          <ExplainDialog
            sessionRef={sessionRef}
            figure={figure}
            onJump={onJump}
            onClose={() => setFigure(null)}
          />
        </Suspense>
      )}
    </ExplainContext>
  )
}
