import type { AnyRouter, ParsedLocation, RouterHistory } from '@tanstack/react-router'
import { keepCorrecting } from '../lib/keep-correcting.ts'

/**
 * Back or forward, a page is held where it was left until its content is there again. The router scrolls once, when
 * lists may still be empty or have guessed heights. A conversation goes by its messages instead.
 */
export function holdScrollPlace(router: AnyRouter): void {
  const history: RouterHistory = router.history
  const leftAt = new Map<string | undefined, number>()
  let isReturn = false
  let release = () => {}
  history.subscribe(({ action }) => {
    isReturn = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO'
  })
  router.subscribe('onBeforeLoad', ({ fromLocation }) => {
    release()
    if (fromLocation !== undefined) leftAt.set(visitOf(fromLocation), window.scrollY)
  })
  router.subscribe('onRendered', ({ toLocation }) => {
    release()
    const top = leftAt.get(visitOf(toLocation))
    if (isReturn && top !== undefined && !toLocation.pathname.startsWith('/s/')) {
      release = keepCorrecting({ correct: () => scrollWindowTo(top) })
    }
  })
}

/** One place in the history of the tab. */
function visitOf(location: ParsedLocation): string | undefined {
  return location.state.__TSR_key
}

/** False when the window was there already. */
function scrollWindowTo(top: number): boolean {
  if (Math.abs(window.scrollY - top) <= 1) return false
  window.scrollTo({ top, behavior: 'instant' })
  return true
}
