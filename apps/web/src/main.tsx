import './styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followLiveEvents } from './api/live-events.ts'
import { ApiRequestError, createQueryClient } from './api/request.ts'
import { pageBuild } from './api/tab-state.ts'
import { createAppRouter } from './app.tsx'

/** Where people go next. */
const PAGES = ['/s/$key', '/usage', '/search'] as const
/** A page that waits for its own program is idle too. */
const FIRST_PAGE_MS = 2_000

hearPreloadErrors()
const queryClient = createQueryClient()
followLiveEvents(queryClient)
const router = createAppRouter(queryClient)
preloadPages(router)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root, { onCaughtError: report }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

/** A refusal of the server has its own page; anything else that a boundary caught is a bug. */
function report(error: unknown) {
  if (!(error instanceof ApiRequestError)) console.error(error)
}

/** Fetches the programs of these pages once the first page stands and nothing else is to be done. */
function preloadPages(router: ReturnType<typeof createAppRouter>): void {
  const preload = () => {
    for (const path of PAGES) void router.loadRouteChunk(router.routesByPath[path])
  }
  setTimeout(() => {
    // Safari does not tell when it is idle.
    if ('requestIdleCallback' in window) window.requestIdleCallback(preload)
    else preload()
  }, FIRST_PAGE_MS)
}

/**
 * A part of the page is not on the server any more: most likely gemini-dash was updated, and its events have not told yet. The
 * notice of it comes at once. The error itself goes on to whoever wanted the part, and is drawn in its place alone.
 */
function hearPreloadErrors(): void {
  window.addEventListener('vite:preloadError', () => void pageBuild.ask())
}
