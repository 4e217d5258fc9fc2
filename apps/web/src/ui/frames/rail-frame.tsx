import './rail-frame.css'
import { type ReactNode, useState } from 'react'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { OpenDrawer } from '../buttons/drawer-button.tsx'
import { Dialog } from './dialog.tsx'

type Props = { railLabel: string; rail: ReactNode; children: ReactNode }

/** A page with a rail at its left; on a phone the rail is a drawer, opened by a `<DrawerButton>` in the page. */
export function RailFrame({ railLabel, rail, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const isNarrow = useIsNarrow()
  // where the window has become wide, and narrow again, nobody has asked for it
  if (isOpen && !isNarrow) setIsOpen(false)
  return (
    <OpenDrawer value={() => setIsOpen(true)}>
      <div className="rail-frame">
        {!isNarrow && (
          <aside className="rail" aria-label={railLabel}>
            {rail}
          </aside>
        )}
        {isNarrow && isOpen && (
          <Dialog title={railLabel} shape="drawer" onClose={() => setIsOpen(false)}>
            {rail}
          </Dialog>
        )}
        <main className="page-main" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </OpenDrawer>
  )
}
