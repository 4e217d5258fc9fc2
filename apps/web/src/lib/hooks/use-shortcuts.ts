import { useLayoutEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import { type ShortcutName, shortcuts } from './shortcuts.ts'

/** A handler returns false to leave the key to the browser. */
type Handlers = Partial<Record<ShortcutName, (event: KeyboardEvent) => false | undefined>>

/** Binds keys while the component is mounted. They never fire while someone types, composes or holds a modifier. */
export function useShortcuts(handlers: Handlers) {
  const latest = useRef(handlers)
  useLayoutEffect(() => {
    latest.current = handlers
  })
  const names = Object.keys(handlers).sort().join(' ')
  // before it is painted: what is seen has its keys
  useLayoutEffect(() => {
    const bindings = (names.split(' ') as ShortcutName[]).map((name) => [
      shortcuts[name].keys,
      (event: KeyboardEvent) => {
        if (isTaken(event)) return
        if (latest.current[name]?.(event) !== false) event.preventDefault()
      },
    ])
    return tinykeys(window, Object.fromEntries(bindings))
  }, [names])
}

function isTaken(event: KeyboardEvent): boolean {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
    return true
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('input, textarea, select')) return true
  // Enter on a button or link does what that button or link does.
  return event.key === 'Enter' && target.matches('a, button, summary')
}
