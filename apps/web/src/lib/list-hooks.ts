import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { currentTime } from './dates.ts'

const STOPS = ':is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled)'

interface Held {
  stop: Element
  /** Index among all focusable elements. */
  place: number
}

/**
 * When the focused element is removed, for example by its own action, moves the focus to the element now in its place, or to `instead` if
 * none is left. Pass the ref to the container.
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
    // a removed element fires no blur
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

/** True once `isActive` has been true for `delayMs` without interruption. */
export function useDelayed(isActive: boolean, delayMs: number): boolean {
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    if (!isActive) {
      setIsDue(false)
      return
    }
    const timer = window.setTimeout(() => setIsDue(true), delayMs)
    return () => window.clearTimeout(timer)
  }, [isActive, delayMs])
  return isActive && isDue
}

/** Queues calls until the data they need has loaded, then runs them in order. */
export function useKeptCalls<Call>(isReady: boolean, act: (calls: readonly Call[]) => void) {
  const kept = useRef<Call[]>([])
  useEffect(() => {
    if (isReady && kept.current.length > 0) act(kept.current.splice(0))
  })
  return (call: Call) => {
    if (isReady) act([call])
    else kept.current.push(call)
  }
}

/** The current time, updated every minute while the page is visible. A hidden page has no timer. */
export function useNow(intervalMs = 60_000): Date {
  const [now, setNow] = useState(currentTime)
  useEffect(() => {
    let timer: number | undefined
    const follow = () => {
      window.clearInterval(timer)
      if (document.hidden) return
      setNow(currentTime())
      timer = window.setInterval(() => setNow(currentTime()), intervalMs)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [intervalMs])
  return now
}

/** False in the first render, then true: defers expensive content to a transition after everything else. */
export function useDrawnLater(): boolean {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => startTransition(() => setIsDrawn(true)), [])
  return isDrawn
}

const FIRST_OVERSCAN = 1

/** Overscan rows of a virtual list: few in the first render, which is the slow one, then `overscan`. */
export function useOverscan(isLoaded: boolean, overscan: number): number {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => {
    if (isLoaded) startTransition(() => setIsDrawn(true))
  }, [isLoaded])
  return isDrawn ? overscan : FIRST_OVERSCAN
}

interface EndlessList {
  data: { pages: readonly unknown[] } | undefined
  isError: boolean
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** Loads as many pages as the address says, to restore a reload or a shared link. */
export function useShownPages(list: EndlessList, wanted = 1): void {
  const { data, isError, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const loaded = data?.pages.length ?? 0
  const isShort = loaded > 0 && loaded < wanted && hasNextPage
  useEffect(() => {
    if (isShort && !isError && !isPlaceholderData && !isFetchingNextPage) void fetchNextPage()
  }, [isShort, isError, isPlaceholderData, isFetchingNextPage, fetchNextPage])
}

const SETTLE_MS = 150

/**
 * State of a text box stored in the address: typed text is saved when typing pauses, and Back, links and "Clear" update the box. Text typed
 * while the address changes is not lost.
 */
export function useSettlingText(
  kept: string,
  onSettle: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(kept)
  const sent = useRef(kept)
  const timer = useRef<number>(undefined)
  useEffect(() => {
    if (kept === sent.current) return
    sent.current = kept
    window.clearTimeout(timer.current)
    setText(kept)
  }, [kept])
  useEffect(() => () => window.clearTimeout(timer.current), [])

  function type(next: string) {
    setText(next)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      sent.current = next
      onSettle(next)
    }, SETTLE_MS)
  }
  return [text, type]
}
