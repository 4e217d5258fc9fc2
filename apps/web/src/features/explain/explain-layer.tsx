import { useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { ExplainContext, type Explained } from '../../content/explain/explain-context.ts'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'

const ExplainDialog = lazyDialog(() => import('./explain-dialog.tsx'))

interface Props {
  /** The session of the page, which its calls are looked up in. */
  sessionRef?: string
  onJump?: (messageKey: string, offset: number | null) => void
  /** What else there is to say of the cost of a session. */
  more?: (sessionRef: string) => ReactNode
  children: ReactNode
}

/** Figures that stand in here say how they came about; so do those that such an explanation is made of. */
export function ExplainLayer({ sessionRef, onJump, more, children }: Props) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const [opened, setOpened] = useState<{ path: string; trail: readonly Explained[] }>({ path, trail: [] })
  // a link to another page leaves it behind
  const trail = opened.path === path ? opened.trail : []
  const figure = trail.at(-1)
  const explain = useCallback(
    (next: Explained) =>
      setOpened((before) => ({ path, trail: before.path === path ? [...before.trail, next] : [next] })),
    [path],
  )
  return (
    <ExplainContext value={explain}>
      {children}
      {figure !== undefined && (
        <Suspense fallback={null}>
          <ExplainDialog
            sessionRef={sessionRef}
            figure={figure}
            onJump={onJump}
            more={more}
            depth={trail.length}
            onBack={() => setOpened({ path, trail: trail.slice(0, -1) })}
            onClose={() => setOpened({ path, trail: [] })}
          />
        </Suspense>
      )}
    </ExplainContext>
  )
}
