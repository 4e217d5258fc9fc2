import './styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followLiveEvents } from './api/live-events.ts'
import { ApiRequestError, createQueryClient } from './api/request.ts'
import { pageBuild } from './api/tab-state.ts'
import { createAppRouter } from './app.tsx'

/** Pages most likely to be visited next. */
const PAGES = ['/s/$key', '/usage', '/search'] as const
/** A page is also idle while it waits for its own code. */
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

/** Server errors have their own page; anything else caught by a boundary is a bug. */
function report(error: unknown) {
  if (!(error instanceof ApiRequestError)) console.error(error)
}

/** Preloads the code of these pages once the first page is idle. */
function preloadPages(router: ReturnType<typeof createAppRouter>): void {
  const preload = () => {
    for (const path of PAGES) void router.loadRouteChunk(router.routesByPath[path])
  }
  setTimeout(() => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) window.requestIdleCallback(preload)
    else preload()
  }, FIRST_PAGE_MS)
}

/**
 * A chunk is missing on the server: most likely gemini-dash was updated and its event has not arrived yet. Shows the update notice at once.
 * The error itself is still passed to the part that needed the chunk.
 */
function hearPreloadErrors(): void {
  window.addEventListener('vite:preloadError', () => void pageBuild.ask())
}
