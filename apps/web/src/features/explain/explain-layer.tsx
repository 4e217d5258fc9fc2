import { useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { ExplainContext, type Explained } from '../../content/explain-button.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'

const ExplainDialog = lazyDialog(() => import('./explain-dialog.tsx'))

interface Props {
  /** The session of the page, which its calls are looked up in. */
  sessionRef?: string
  onJump?: (messageKey: string, offset: number | null) => void
  children: ReactNode
}

/** Figures that stand in here say how they came about; so do those that such an explanation is made of. */
export function ExplainLayer({ sessionRef, onJump, children }: Props) {
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
            depth={trail.length}
            onBack={() => setOpened({ path, trail: trail.slice(0, -1) })}
            onClose={() => setOpened({ path, trail: [] })}
          />
        </Suspense>
      )}
    </ExplainContext>
  )
}
