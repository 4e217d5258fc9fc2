import type { LucideIcon } from 'lucide-react'
import { createContext, useContext } from 'react'
import { Icon } from '../signs/icon.tsx'

/** Opens the drawer of the surrounding `<RailFrame>`. */
export const OpenDrawer = createContext<() => void>(() => undefined)

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
