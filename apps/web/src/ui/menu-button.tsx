import './menu-button.css'
import { type ReactNode, useId, useRef } from 'react'

interface Props {
  /** Classes, name and content of the button. */
  className: string
  label: string
  face: ReactNode
  children: ReactNode
}

/** A button with a list of buttons below it, in the top layer. Escape and a click elsewhere close it; so does a choice. */
export function MenuButton({ className, label, face, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)

  function place() {
    if (button.current === null || list.current === null) return
    const { bottom, top, right } = button.current.getBoundingClientRect()
    const { offsetHeight, offsetWidth, style } = list.current
    const isBelow = bottom + offsetHeight + 8 < window.innerHeight
    style.setProperty('top', `${isBelow ? bottom + 4 : Math.max(top - offsetHeight - 4, 4)}px`)
    style.setProperty('left', `${Math.max(right - offsetWidth, 4)}px`)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        popoverTarget={id}
      >
        {face}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className="menu-list"
        onToggle={(event) => {
          if (event.newState === 'open') place()
        }}
      >
        {children}
      </div>
    </>
  )
}
