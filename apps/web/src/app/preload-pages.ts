import type { createAppRouter } from './router.tsx'

/** Where people go next. */
const PAGES = ['/s/$key', '/usage', '/search'] as const
/** A page that waits for its own program is idle too. */
const FIRST_PAGE_MS = 2_000

/** Fetches the programs of these pages once the first page stands and nothing else is to be done. */
export function preloadPages(router: ReturnType<typeof createAppRouter>): void {
  const preload = () => {
    for (const path of PAGES) void router.loadRouteChunk(router.routesByPath[path])
  }
  setTimeout(() => {
    // Safari does not tell when it is idle.
    if ('requestIdleCallback' in window) window.requestIdleCallback(preload)
    else preload()
  }, FIRST_PAGE_MS)
}
