import { apiPaths } from '@gemini-dash/api/paths'
import { type QueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  useRouter,
} from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { ApiRequestError, isAnswered } from '../api/request/api-request-error.ts'
import { connection } from '../api/request/connection.ts'
import { fetchJson } from '../api/request/fetch-json.ts'
import { QuickSearch } from '../features/search/quick-search.tsx'
import { Said } from '../features/shell/said.tsx'
import { ConnectionBanner, SampleNotice, UpdateNotice } from '../features/shell/shell-notices.tsx'
import { TopBar } from '../features/shell/top-bar.tsx'
import { WarningBar } from '../features/shell/warning-bar.tsx'
import type { Action } from '../lib/actions/action.ts'
import { type ActionName, actions } from '../lib/actions/action-table.ts'
import { singleKeys, useActions } from '../lib/actions/use-actions.ts'
import { readFindSearch } from '../lib/address/find-search.ts'
import { readCompareSearch, readFileSearch, readUsageSearch } from '../lib/address/page-searches.ts'
import { readListSearch } from '../lib/address/read-list-search.ts'
import { plainSearchCodec } from '../lib/address/search-params.ts'
import { readSessionSearch } from '../lib/address/session-search.ts'
import { density, sidebar, stepThrough, theme } from '../lib/browser/appearance.ts'
import { copyText } from '../lib/browser/copy-text.ts'
import { sayCopied } from '../lib/browser/say.ts'
import { clockChoice } from '../lib/figures/format.ts'
import { onZoneChange, timeZone, zoneChoice } from '../lib/figures/time-zone.ts'
import { HomePage } from '../pages/home-page.tsx'
import { AmbiguousPage } from '../pages/refused/ambiguous-page.tsx'
import { BrokenPage, ForbiddenPage, NotFoundPage } from '../pages/refused/refused-pages.tsx'
import { beginSession } from '../pages/session/begin-session.ts'
import { CrumbSlot } from '../ui/controls/crumbs.tsx'
import { lazyDialog } from '../ui/lazy/lazy-dialog.tsx'
import { holdScrollPlace } from './hold-scroll-place.ts'
import { leadFocus, TOLD_ID } from './lead-focus.ts'
import { SkipLinks } from './skip-links.tsx'

const OVER_PAGES = {
  keys: lazyDialog(() => import('../features/shortcut-sheet/shortcut-sheet.tsx')),
  palette: lazyDialog(() => import('../features/palette/palette.tsx')),
  saveView: lazyDialog(() => import('../features/marks/save-view.tsx')),
}
type OverPage = keyof typeof OVER_PAGES

const rootRoute = createRootRouteWithContext<{ client: QueryClient }>()({ component: RootLayout })

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readListSearch,
  component: HomePage,
})

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => loadPage(() => import('../pages/project-page.tsx')), 'ProjectPage'),
})

const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s/$key',
  validateSearch: readSessionSearch,
  beforeLoad: ({ context, params, search: { hit, show, view, q }, location: { hash }, preload }) => {
    // a link that is only pointed at has nothing read
    if (!preload) beginSession(context.client, { sessionRef: params.key, hash, hit, show, view, q })
  },
  component: lazyRouteComponent(
    () => loadPage(() => import('../pages/session/session-page.tsx')),
    'SessionPage',
  ),
  // another session has another place, and nothing that was opened
  remountDeps: ({ params }) => params.key,
})

const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: readFindSearch,
  component: lazyRouteComponent(() => loadPage(() => import('../pages/search-page.tsx')), 'SearchPage'),
})

const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => loadPage(() => import('../pages/usage-page.tsx')), 'UsagePage'),
})

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => loadPage(() => import('../pages/compare-page.tsx')), 'ComparePage'),
})

const fileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/file',
  validateSearch: readFileSearch,
  component: lazyRouteComponent(() => loadPage(() => import('../pages/file-page.tsx')), 'FilePage'),
})

const doctorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/doctor',
  component: lazyRouteComponent(() => loadPage(() => import('../pages/doctor-page.tsx')), 'DoctorPage'),
})

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => loadPage(() => import('../pages/settings-page.tsx')), 'SettingsPage'),
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  projectRoute,
  sessionRoute,
  searchRoute,
  usageRoute,
  compareRoute,
  fileRoute,
  doctorRoute,
  settingsRoute,
])

/** Every page with its typed parameters. Only home is in the first download. */
export function createAppRouter(client: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { client },
    ...plainSearchCodec,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: () => <NotFoundPage />,
  })
  holdScrollPlace(router)
  leadFocus(router)
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

/**
 * The program of a page. Where it cannot be had the server is asked why: a refusal says how to sign in, a server that is gone
 * comes back. Only if neither is the case the file itself is gone, and the router loads the whole page anew.
 */
async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    await fetchJson(apiPaths.health())
    // By these words the router knows that a file is gone; Vite has others for a style sheet.
    throw new Error(`Failed to fetch dynamically imported module: ${error}`, { cause: error })
  }
}

/** The page in place of one that threw: a refusal of the server by its code, anything else as what it is, a bug. */
function RouteError({ error, reset }: ErrorComponentProps) {
  const retry = useRetry(reset)
  // It could not be loaded while the server was gone or did not know this browser.
  useEffect(
    () => connection.whenFound((wasMissed) => void ((wasMissed || !isAnswered(error)) && retry())),
    [retry, error],
  )
  if (error instanceof ApiRequestError) {
    if (error.code === 'ambiguous') return <AmbiguousPage sessionKeys={error.keys} />
    if (error.code === 'not-found') return <NotFoundPage what={error.message} />
    if (error.code === 'forbidden') return <ForbiddenPage />
  }
  return <BrokenPage error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
}

/** Failed questions are asked again, and failed parts loaded again. */
function useRetry(reset: () => void): () => void {
  const router = useRouter()
  const questions = useQueryErrorResetBoundary()
  return () => {
    questions.reset()
    reset()
    void router.invalidate()
  }
}

/** What stands around every page. */
function RootLayout() {
  const [crumbSlot, setCrumbSlot] = useState<HTMLElement | null>(null)
  const zone = useSyncExternalStore(onZoneChange, timeZone)
  const clock = useSyncExternalStore(clockChoice.subscribe, clockChoice.get)
  // counted: what is opened anew while it closes is another one, which the late event of the first does not close
  const [opened, setOpened] = useState<{ what: OverPage; count: number } | null>(null)
  usePageActions((what) => setOpened((now) => ({ what, count: (now?.count ?? 0) + 1 })))
  const Opened = opened === null ? null : OVER_PAGES[opened.what]
  return (
    <CrumbSlot value={crumbSlot}>
      <SkipLinks />
      <TopBar search={<QuickSearch />} crumbsRef={setCrumbSlot} />
      <ConnectionBanner />
      <WarningBar />
      <UpdateNotice />
      <SampleNotice />
      <Outlet key={`${zone} ${clock}`} />
      {Opened !== null && (
        <Suspense>
          {/* the palette may have opened the next one by then */}
          <Opened key={opened?.count} onClose={() => setOpened((now) => (now === opened ? null : now))} />
        </Suspense>
      )}
      <p id={TOLD_ID} className="visually-hidden" role="status" />
      <Said />
    </CrumbSlot>
  )
}

/** What can be done on every page. */
function usePageActions(open: (what: OverPage) => void): void {
  const { history } = useRouter()
  const pages = Object.entries<Action>(actions).flatMap(([name, { href }]) =>
    href === undefined ? [] : [[name as ActionName, () => void history.push(href)] as const],
  )
  useActions({
    ...Object.fromEntries(pages),
    showKeys: () => void open('keys'),
    openPalette: () => void open('palette'),
    saveView: () => void open('saveView'),
    copyPageLink: () => void copyText(window.location.href).then(sayCopied),
    toggleSidebar: () => void stepThrough(sidebar),
    changeTheme: () => void stepThrough(theme),
    changeDensity: () => void stepThrough(density),
    changeZone: () => void zoneChoice.set(zoneChoice.get() === 'utc' ? 'own' : 'utc'),
    changeClock: () => void clockChoice.set(clockChoice.get() === '12' ? '24' : '12'),
    changeSingleKeys: () => void singleKeys.set(!singleKeys.get()),
  })
}
