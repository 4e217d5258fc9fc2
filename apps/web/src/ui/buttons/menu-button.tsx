import './menu-button.css'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

interface Props {
  /** Classes, name and content of the button. */
  className: string
  label: string
  face: ReactNode
  children: ReactNode
}

/**
 * A button with a list of buttons below it, in the top layer. Escape and a click elsewhere close it; so does a choice.
 * Every message has one, and few are opened: the list is filled when it is.
 */
export function MenuButton({ className, label, face, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isFilled, setIsFilled] = useState(false)

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
        // before it is shown, which asks for its size
        onBeforeToggle={() => flushSync(() => setIsFilled(true))}
        onToggle={(event) => {
          if (event.newState === 'open') place()
        }}
      >
        {isFilled && children}
      </div>
    </>
  )
}
