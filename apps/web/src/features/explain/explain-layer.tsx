import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ExplainContext, type Explained } from '../../content/explain-context.ts'

const ExplainDialog = lazy(() => import('./explain-dialog.tsx'))

interface Props {
  /** The session of the page, which its calls are looked up in. */
  sessionRef?: string
  onJump?: (messageKey: string, offset: number | null) => void
  /** What else there is to say of the cost of a session. */
  more?: (sessionRef: string) => ReactNode
  children: ReactNode
}

/** Figures that stand in here say how they came about. */
export function ExplainLayer({ sessionRef, onJump, more, children }: Props) {
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
            more={more}
            onClose={() => setFigure(null)}
          />
        </Suspense>
      )}
    </ExplainContext>
  )
}
