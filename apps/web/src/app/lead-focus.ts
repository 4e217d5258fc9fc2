import type { AnyRouter, RouterHistory } from '@tanstack/react-router'

/** Content that takes longer than this has a page of its own by then, which is read from its beginning. */
const WAIT_MS = 10_000
/** A list that is come back to has its rows within this. */
const RETURN_MS = 2_000
const TITLE_MS = 100
/** What is told to screen readers alone. */
export const TOLD_ID = 'told'

/**
 * A new page is led to as by a link: the focus goes to its heading, so that it is heard where one is and Tab goes on from
 * there. Back, it goes on to the link by which the page was left. What the page itself takes the focus to, a box or a
 * message, keeps it; its title is told instead.
 */
export function leadFocus(router: AnyRouter): void {
  const history: RouterHistory = router.history
  let isReturn = false
  let end = () => {}
  let headingBefore: Element | null = null
  history.subscribe(({ action }) => {
    isReturn = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO'
  })
  router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    end()
    headingBefore = document.querySelector('main h1')
  })
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    end()
    const { pathname } = fromLocation
    const wayBack = isReturn ? () => linkTo(pathname) : null
    end = whenDrawn(WAIT_MS, () => {
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null || heading === headingBefore) return false
      if (!takeFocus(heading)) tellTitle()
      else if (wayBack !== null) end = whenDrawn(RETURN_MS, () => goOn(heading, wayBack()))
      return true
    })
  })
}

/** False where the page, or what lies over it, has taken the focus by itself. */
function takeFocus(heading: HTMLElement): boolean {
  const active = document.activeElement
  if (active?.closest('main, dialog, [role=dialog]')) return false
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}

/** From the heading on to a link; true: there is nothing more to do. */
function goOn(heading: HTMLElement, link: HTMLElement | null): boolean {
  if (document.activeElement !== heading) return true
  link?.focus({ preventScroll: true })
  return link !== null
}

function linkTo(pathname: string): HTMLElement | null {
  const links = document.querySelectorAll<HTMLElement>('main a')
  return [...links].find((link) => link.getAttribute('href') === pathname && link.checkVisibility()) ?? null
}

/** Tries at once and whenever something was drawn, until it is done or the time is over. Returns what ends it. */
function whenDrawn(waitMs: number, isDone: () => boolean): () => void {
  const observer = new MutationObserver(() => isDone() && stop())
  const timer = window.setTimeout(stop, waitMs)
  function stop() {
    observer.disconnect()
    window.clearTimeout(timer)
  }
  if (isDone()) stop()
  else observer.observe(document.body, { childList: true, subtree: true })
  return stop
}

/** Says to who hears the page where they are, once the page has its title. */
function tellTitle(): void {
  window.setTimeout(() => {
    const place = document.getElementById(TOLD_ID)
    if (place !== null) place.textContent = document.title
  }, TITLE_MS)
}
