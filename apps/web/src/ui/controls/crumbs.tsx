import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** The place in the top bar where a page's crumbs go. */
export const CrumbSlot = createContext<HTMLElement | null>(null)

/** The way to this page, drawn in the top bar: links, and last the page itself as `<CrumbHere>`. */
export function Crumbs({ children }: { children: ReactNode }) {
  const slot = useContext(CrumbSlot)
  return slot && createPortal(children, slot)
}

export function CrumbHere({ children }: { children: string }) {
  return (
    <>
      <CrumbSeparator />
      <span className="crumb-here" aria-current="page" dir="auto">
        {children}
      </span>
    </>
  )
}

export function CrumbSeparator() {
  return (
    <span className="crumb-separator" aria-hidden="true">
      /
    </span>
  )
}
