import type { LucideIcon } from 'lucide-react'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../signs/icon.tsx'
import { IconButton } from './icon-button.tsx'

/** On a phone: opens what stands in the rail of a wider page, as a drawer. Following a link in it closes it. */
export function SheetButton({
  icon,
  label,
  children,
}: {
  icon: LucideIcon
  label: string
  children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="chip narrow-only" onClick={() => setIsOpen(true)}>
        <Icon of={icon} small />
        {label}
      </button>
      {isOpen && (
        <dialog
          className="drawer"
          aria-label={label}
          ref={(dialog) => {
            if (dialog !== null && !dialog.open) dialog.showModal()
          }}
          onClose={() => setIsOpen(false)}
          onClick={(event) => {
            const isBackdrop = event.target === event.currentTarget
            const isLink = event.target instanceof Element && event.target.closest('a') !== null
            if (isBackdrop || isLink) setIsOpen(false)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setIsOpen(false)
          }}
        >
          <div className="drawer-close">
            <IconButton icon={X} label="Close" onClick={() => setIsOpen(false)} />
          </div>
          {children}
        </dialog>
      )}
    </>
  )
}
