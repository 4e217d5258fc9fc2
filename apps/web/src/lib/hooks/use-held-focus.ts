import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

const STOPS = ':is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled)'

interface Held {
  stop: Element
  /** Among all stops there were. */
  place: number
}

/**
 * Where what has the focus is taken away, as by what it does itself, what stands in its place has it then; where nothing is
 * left, what `instead` selects. Takes the element around.
 */
export function useHeldFocus<Around extends HTMLElement>(instead?: string): RefObject<Around | null> {
  const around = useRef<Around>(null)
  const held = useRef<Held | null>(null)
  useEffect(() => {
    const { current } = around
    if (current === null) return
    const hold = ({ target }: FocusEvent) => {
      const place = stopsIn(current).indexOf(target as HTMLElement)
      held.current = place === -1 ? null : { stop: target as Element, place }
    }
    // what is being taken away is left by nobody
    const leave = () =>
      queueMicrotask(() => {
        const stop = held.current?.stop
        if (stop?.isConnected && stop.matches(STOPS) && document.activeElement !== stop) held.current = null
      })
    current.addEventListener('focusin', hold)
    current.addEventListener('focusout', leave)
    return () => {
      current.removeEventListener('focusin', hold)
      current.removeEventListener('focusout', leave)
    }
  }, [])
  useLayoutEffect(() => {
    const { current } = around
    if (current === null || held.current === null || held.current.stop.isConnected) return
    const { place } = held.current
    held.current = null
    if (document.activeElement !== document.body) return
    const stops = stopsIn(current)
    const next = stops[Math.min(place, stops.length - 1)]
    const other = instead === undefined ? null : document.querySelector<HTMLElement>(instead)
    ;(next ?? other)?.focus({ preventScroll: true })
  })
  return around
}

function stopsIn(around: HTMLElement): HTMLElement[] {
  return [...around.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility())
}
