import './rail-frame.css'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { OpenDrawer } from '../buttons/drawer-button.tsx'
import { IconButton } from '../buttons/icon-button.tsx'

type Props = { railLabel: string; rail: ReactNode; children: ReactNode }

/** A page with a rail at its left; on a phone the rail is a drawer, opened by a `<DrawerButton>` in the page. */
export function RailFrame({ railLabel, rail, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const isNarrow = useIsNarrow()
  return (
    <OpenDrawer value={() => setIsOpen(true)}>
      <div className="rail-frame">
        {!isNarrow && (
          <aside className="rail" aria-label={railLabel}>
            {rail}
          </aside>
        )}
        {isNarrow && isOpen && (
          <Drawer label={railLabel} onClose={() => setIsOpen(false)}>
            {rail}
          </Drawer>
        )}
        <main className="page-main" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </OpenDrawer>
  )
}

function Drawer({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  return (
    <dialog
      className="drawer"
      aria-label={label}
      ref={(dialog) => dialog?.showModal()}
      onClose={onClose}
      onClick={(event) => {
        const isBackdrop = event.target === event.currentTarget
        const isLink = event.target instanceof Element && event.target.closest('a') !== null
        if (isBackdrop || isLink) onClose()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className="drawer-close">
        <IconButton icon={X} label="Close" onClick={onClose} />
      </div>
      {children}
    </dialog>
  )
}
