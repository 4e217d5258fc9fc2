import { flushSync } from 'react-dom'
import { keepCorrecting } from '../../../lib/browser/keep-correcting.ts'

interface Target {
  /** Where it is to be, px from the top of the window. */
  top: number
  /** The element, once it is drawn. */
  find: () => HTMLElement | null
  /** Scrolls to where it should be, so that it gets drawn. */
  approach: () => void
  /** Moves the window by so many px. */
  move: (distance: number) => void
  onArrived: () => void
}

/**
 * Brings an element that is only about to be drawn to its place in the window, and holds it there until its
 * surroundings have their heights. What comes into sight by that is drawn in the same frame. Returns the function
 * that ends it.
 */
export function settleScroll({ top, find, approach, move, onArrived }: Target): () => void {
  function correct(): boolean {
    const before = window.scrollY
    const element = find()
    if (element === null) {
      flushSync(approach)
      return true
    }
    const distance = element.getBoundingClientRect().top - top
    if (Math.abs(distance) > 1) flushSync(() => move(distance))
    return Math.abs(window.scrollY - before) > 1
  }
  return keepCorrecting({ correct, onArrived })
}
