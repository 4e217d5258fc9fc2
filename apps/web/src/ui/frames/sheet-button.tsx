import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../signs/icon.tsx'
import { Dialog } from './dialog.tsx'

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
        <Dialog title={label} shape="drawer" onClose={() => setIsOpen(false)}>
          {children}
        </Dialog>
      )}
    </>
  )
}
