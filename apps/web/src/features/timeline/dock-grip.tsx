import {
  type KeyboardEvent,
  type PointerEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { keptChoice } from '../../lib/browser/kept-choice.ts'

const MIN_PX = 140
/** Of the window: the conversation above it stays readable. */
const MAX_SHARE = 0.7
const STEP_PX = 24

/** null: as the style sheet has it. */
const keptHeight = keptChoice<number | null>(
  'gemini-dash.timeline-height',
  (kept) => (kept !== null && Number(kept) >= MIN_PX ? Number(kept) : null),
  (height) => (height === null ? null : String(height)),
)

/** How high the reader wants the dock: kept in this browser, and never more than the window can spare. */
export function useDockHeight() {
  const kept = useSyncExternalStore(keptHeight.subscribe, keptHeight.get)
  // while it is dragged
  const [dragged, setDragged] = useState<number | null>(null)
  const height = dragged ?? kept
  // what Tab leads to stops above it
  useLayoutEffect(() => {
    if (kept === null) return
    const { style } = document.documentElement
    style.setProperty('--dock', `${within(kept)}px`)
    return () => void style.removeProperty('--dock')
  }, [kept])
  return {
    height: height === null ? undefined : within(height),
    drag: setDragged,
    keep: (next: number) => {
      setDragged(null)
      keptHeight.set(Math.round(within(next)))
    },
  }
}

function within(height: number): number {
  return Math.min(Math.max(height, MIN_PX), window.innerHeight * MAX_SHARE)
}

type Props = ReturnType<typeof useDockHeight>

/** The upper edge of the dock: dragged, or moved with the arrows, it changes how high that is. */
export function DockGrip({ height, drag, keep }: Props) {
  const grip = useRef<HTMLHRElement>(null)
  const start = useRef<{ y: number; height: number } | null>(null)
  const dockHeight = () => grip.current?.parentElement?.offsetHeight ?? MIN_PX
  const heightAt = (event: PointerEvent) =>
    start.current === null ? dockHeight() : start.current.height + start.current.y - event.clientY
  function step(event: KeyboardEvent) {
    const by = event.key === 'ArrowUp' ? STEP_PX : event.key === 'ArrowDown' ? -STEP_PX : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    keep(dockHeight() + by)
  }
  return (
    <hr
      ref={grip}
      className="dock-grip"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Height of the timeline"
      aria-valuemin={MIN_PX}
      aria-valuemax={Math.round(window.innerHeight * MAX_SHARE)}
      aria-valuenow={Math.round(height ?? grip.current?.parentElement?.offsetHeight ?? MIN_PX)}
      onKeyDown={step}
      onPointerDown={(event) => {
        start.current = { y: event.clientY, height: dockHeight() }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (start.current !== null) drag(within(heightAt(event)))
      }}
      onPointerUp={(event) => {
        if (start.current !== null) keep(heightAt(event))
        start.current = null
      }}
      // the browser took the gesture for itself, as where it scrolls by touch
      onPointerCancel={() => {
        if (start.current !== null) keep(dockHeight())
        start.current = null
      }}
    />
  )
}
