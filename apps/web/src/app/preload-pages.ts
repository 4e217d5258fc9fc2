import type { createAppRouter } from './router.tsx'

/** Where people go next. */
const PAGES = ['/s/$key', '/usage', '/search'] as const
/** Where the browser does not tell when it is idle. */
const QUIET_MS = 1_000

/** Fetches the programs of these pages once the first page stands and nothing else is to be done. */
export function preloadPages(router: ReturnType<typeof createAppRouter>): void {
  const preload = () => {
    for (const path of PAGES) void router.loadRouteChunk(router.routesByPath[path])
  }
  window.addEventListener('load', () => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(preload)
    else setTimeout(preload, QUIET_MS)
  })
}
