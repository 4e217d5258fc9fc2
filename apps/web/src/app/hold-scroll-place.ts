import type { AnyRouter, ParsedLocation, RouterHistory } from '@tanstack/react-router'
import { STICKY_PX } from '../features/conversation/list/sticky.ts'
import { messageKeyOf } from '../features/conversation/part/message-link.ts'
import { keepCorrecting } from '../lib/browser/keep-correcting.ts'
import {
  comeTo,
  keepLeftPlace,
  keepLeftTops,
  type LeftPlace,
  readLeftTops,
} from '../lib/browser/left-place.ts'

/**
 * Back or forward, a page is held where it was left until its content is there again. The router scrolls once, when
 * lists may still be empty or have guessed heights. So it is after a reload. A conversation goes by its messages instead.
 */
export function holdScrollPlace(router: AnyRouter): void {
  const history: RouterHistory = router.history
  const leftAt = new Map<string | undefined, number>(readLeftTops())
  let isReturn = isReturnOfTab()
  let release = () => {}
  history.subscribe(({ action }) => {
    isReturn = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO'
  })
  router.subscribe('onBeforeLoad', ({ fromLocation, toLocation, pathChanged }) => {
    release()
    if (fromLocation !== undefined) {
      leftAt.set(visitOf(fromLocation), window.scrollY)
      if (pathChanged) keepLeftPlace(visitOf(fromLocation), placeInWindow())
    }
    if (fromLocation === undefined || pathChanged) comeTo(visitOf(toLocation), isReturn)
  })
  window.addEventListener('pagehide', () => {
    const visit = visitOf(router.state.location)
    keepLeftPlace(visit, placeInWindow())
    if (visit !== undefined) keepLeftTops([...leftAt.set(visit, window.scrollY)])
  })
  router.subscribe('onRendered', ({ toLocation }) => {
    release()
    const top = leftAt.get(visitOf(toLocation))
    if (isReturn && top !== undefined && !toLocation.pathname.startsWith('/s/')) {
      release = keepCorrecting({ correct: () => scrollWindowTo(top) })
    }
  })
}

/** The whole tab came back: by a reload, or from another site. */
function isReturnOfTab(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return visit !== undefined && 'type' in visit && (visit.type === 'reload' || visit.type === 'back_forward')
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

/** The first message that stands below the bars; null where no conversation is drawn. */
function placeInWindow(): LeftPlace | null {
  for (const message of document.querySelectorAll('.conversation article[id]')) {
    const { top, bottom } = message.getBoundingClientRect()
    const messageKey = messageKeyOf(message.id)
    if (messageKey !== null && bottom > STICKY_PX && top < window.innerHeight) return { messageKey, top }
  }
  return null
}
