import type { LucideIcon } from 'lucide-react'
import { useContext } from 'react'
import { Icon } from '../signs/icon.tsx'
import { OpenDrawer } from './open-drawer.ts'

/** Opens the drawer in which a phone keeps the rail. */
export function DrawerButton({ icon, label }: { icon: LucideIcon; label: string }) {
  const open = useContext(OpenDrawer)
  return (
    <button type="button" className="chip narrow-only" onClick={open}>
      <Icon of={icon} small />
      {label}
    </button>
  )
}
