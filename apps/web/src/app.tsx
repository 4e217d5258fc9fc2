import { type QueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query'
import {
  type AnyRouter,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  notFound,
  Outlet,
  type ParsedLocation,
  type RouterHistory,
  redirect,
  useRouter,
  useRouterState,
} from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { connection } from './api/connection.ts'
import { ApiRequestError, ask, isAnswered } from './api/request.ts'
import { messageKeyOf } from './features/conversation/message-link.ts'
import { STICKY_PX, stopInSight } from './features/conversation/stop-in-sight.ts'
import { OneBox } from './features/palette/one-box.tsx'
import {
  ConnectionBanner,
  OpenedNotice,
  Said,
  SampleNotice,
  TopBar,
  UpdateNotice,
  WarningBar,
} from './features/shell.tsx'
import { type Action, type ActionName, actions } from './lib/action-table.ts'
import { copyText, sayCopied } from './lib/copy.ts'
import { onZoneChange, timeZone, zoneChoice } from './lib/dates.ts'
import {
  comeTo,
  keepCorrecting,
  keepLeftPlace,
  keepLeftTops,
  type LeftPlace,
  readLeftTops,
} from './lib/left-place.ts'
import {
  fileFilter,
  readCompareSearch,
  readFileSearch,
  readFindSearch,
  readListSearch,
  readUsageSearch,
} from './lib/page-searches.ts'
import { density, sidebar, stepThrough, theme } from './lib/preferences.ts'
import { isSettingsPage, movedSettings, plainSearchCodec } from './lib/search-params.ts'
import { readSessionSearch } from './lib/session-search.ts'
import { singleKeys, useActions } from './lib/use-actions.ts'
import { AmbiguousPage, BrokenPage, ForbiddenPage, NotFoundPage } from './pages/refused.tsx'
import { beginSession } from './pages/session/begin-session.ts'
import { ProjectPage, SessionsPage } from './pages/sessions-page.tsx'
import { lazyDialog } from './ui/lazy.tsx'

const OVER_PAGES = {
  keys: lazyDialog(() => import('./features/shortcut-sheet.tsx')),
  saveView: lazyDialog(() => import('./features/save-view.tsx')),
}
type OverPage = keyof typeof OVER_PAGES

const rootRoute = createRootRouteWithContext<{ client: QueryClient }>()({ component: RootLayout })

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readListSearch,
  component: SessionsPage,
})

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p/$project',
  validateSearch: readListSearch,
  component: ProjectPage,
})

const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s/$key',
  validateSearch: readSessionSearch,
  beforeLoad: ({ context, params, search: { hit, show, view, q }, location: { hash }, preload }) => {
    // hovering over a link loads no data
    if (!preload) beginSession(context.client, { sessionRef: params.key, hash, hit, show, view, q })
  },
  component: lazyRouteComponent(
    () => loadPage(() => import('./pages/session/session-page.tsx')),
    'SessionPage',
  ),
  // a new session starts with its own position and nothing open
  remountDeps: ({ params }) => params.key,
})

const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: readFindSearch,
  component: lazyRouteComponent(() => loadPage(() => import('./pages/search-page.tsx')), 'SearchPage'),
})

const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => loadPage(() => import('./pages/usage-page.tsx')), 'UsagePage'),
})

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  validateSearch: readCompareSearch,
  beforeLoad: ({ search: { a, b } }) => {
    // two sessions are selected in the list
    if (a === undefined || b === undefined) throw redirect({ to: '/', replace: true })
  },
  component: lazyRouteComponent(() => loadPage(() => import('./pages/compare-page.tsx')), 'ComparePage'),
})

const openRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/open',
  component: lazyRouteComponent(() => loadPage(() => import('./pages/open-page.tsx')), 'OpenPage'),
})

/** The former file history page: redirects to the search with a filter. */
const fileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/file',
  validateSearch: readFileSearch,
  beforeLoad: ({ search: { path, q, project } }) => {
    const wanted = path ?? q
    throw redirect({
      to: '/search',
      search: { q: wanted === undefined ? 'file:' : fileFilter(wanted), project },
      replace: true,
    })
  },
})

/** The former health page: redirects to the settings. */
const doctorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/doctor',
  beforeLoad: ({ location: { hash } }) => {
    const { section, hash: place } = movedSettings(hash) ?? { section: 'storage' }
    throw redirect({ to: '/settings/{-$section}', params: { section }, hash: place, replace: true })
  },
})

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/{-$section}',
  beforeLoad: ({ params: { section }, location: { hash } }) => {
    if (section !== undefined && !isSettingsPage(section)) throw notFound()
    // all settings used to be on one page
    const moved = section === undefined ? movedSettings(hash) : undefined
    if (moved !== undefined)
      throw redirect({
        to: '/settings/{-$section}',
        params: { section: moved.section },
        hash: moved.hash,
        replace: true,
      })
  },
  component: lazyRouteComponent(() => loadPage(() => import('./pages/settings-page.tsx')), 'SettingsPage'),
})

const routeTree = rootRoute.addChildren([
  homeRoute,
  projectRoute,
  sessionRoute,
  searchRoute,
  usageRoute,
  compareRoute,
  openRoute,
  fileRoute,
  doctorRoute,
  settingsRoute,
])

/** All pages with typed parameters. Only the session list is part of the first download. */
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
 * Loads the code of a page. On failure, asks the server why: a refusal explains how to sign in, an unreachable server may come back. If
 * neither applies, the file itself is gone, and the router reloads the whole page.
 */
async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    await ask('health')
    // The router recognizes a missing file by this message; Vite has a different one for style sheets.
    throw new Error(`Failed to fetch dynamically imported module: ${error}`, { cause: error })
  }
}

/** Replaces a page that threw: a server error by its code, anything else as a bug. */
function RouteError({ error, reset }: ErrorComponentProps) {
  const retry = useRetry(reset)
  // Loading failed while the server was down or did not accept this browser.
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

/** Retries failed queries and failed chunks. */
function useRetry(reset: () => void): () => void {
  const router = useRouter()
  const questions = useQueryErrorResetBoundary()
  return () => {
    questions.reset()
    reset()
    void router.invalidate()
  }
}

/** The layout around every page. */
function RootLayout() {
  const zone = useSyncExternalStore(onZoneChange, timeZone)
  // counted, so that the late close event of a dialog does not close one reopened meanwhile
  const [opened, setOpened] = useState<{ what: OverPage; count: number } | null>(null)
  usePageActions((what) => setOpened((now) => ({ what, count: (now?.count ?? 0) + 1 })))
  const Opened = opened === null ? null : OVER_PAGES[opened.what]
  return (
    <>
      <SkipLinks />
      <TopBar box={<OneBox />} />
      <ConnectionBanner />
      <WarningBar />
      <UpdateNotice />
      <SampleNotice />
      <OpenedNotice />
      <Outlet key={zone} />
      {Opened !== null && (
        <Suspense>
          <Opened key={opened?.count} onClose={() => setOpened((now) => (now === opened ? null : now))} />
        </Suspense>
      )}
      <p id={ANNOUNCEMENT_ID} className="visually-hidden" role="status" />
      <Said />
    </>
  )
}

/** Actions available on every page. */
function usePageActions(open: (what: OverPage) => void): void {
  const { history } = useRouter()
  const pages = Object.entries<Action>(actions).flatMap(([name, { href }]) =>
    href === undefined ? [] : [[name as ActionName, () => void history.push(href)] as const],
  )
  useActions({
    ...Object.fromEntries(pages),
    showKeys: () => void open('keys'),
    saveView: () => void open('saveView'),
    copyPageLink: () => void copyText(window.location.href).then(sayCopied),
    toggleSidebar: () => void stepThrough(sidebar),
    changeTheme: () => void stepThrough(theme),
    changeDensity: () => void stepThrough(density),
    changeZone: () => void zoneChoice.set(zoneChoice.get() === 'utc' ? 'own' : 'utc'),
    changeSingleKeys: () => void singleKeys.set(!singleKeys.get()),
  })
}

/**
 * Restores the scroll position on back, forward and reload, and keeps correcting it until the content has its height. The router scrolls
 * only once, when lists may be empty or have estimated heights. Conversations restore their position by message instead.
 */
function holdScrollPlace(router: AnyRouter): void {
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

/** Whether the tab was reloaded or returned from another site. */
function isReturnOfTab(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return visit !== undefined && 'type' in visit && (visit.type === 'reload' || visit.type === 'back_forward')
}

/** The key of a history entry. */
function visitOf(location: ParsedLocation): string | undefined {
  return location.state.__TSR_key
}

/** Returns false if the window was already there. */
function scrollWindowTo(top: number): boolean {
  if (Math.abs(window.scrollY - top) <= 1) return false
  window.scrollTo({ top, behavior: 'instant' })
  return true
}

/** The first message below the bars; null if no conversation is drawn. */
function placeInWindow(): LeftPlace | null {
  for (const message of document.querySelectorAll('.conversation article[id]')) {
    const { top, bottom } = message.getBoundingClientRect()
    const messageKey = messageKeyOf(message.id)
    if (messageKey !== null && bottom > STICKY_PX && top < window.innerHeight) return { messageKey, top }
  }
  return null
}

/** After this time the focus stays where it is. */
const WAIT_MS = 10_000
/** A list has its rows again within this time after a return. */
const RETURN_MS = 2_000
const TITLE_MS = 100
/** Live region for screen readers only. */
const ANNOUNCEMENT_ID = 'announcement'

/**
 * Focus management on navigation, as with a regular link: the focus goes to the heading of the new page, so that it is announced and Tab
 * continues from there. On return, it goes on to the link through which the page was left. If the page itself focuses an input or a
 * message, its title is announced instead.
 */
function leadFocus(router: AnyRouter): void {
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
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return
    end()
    const { pathname } = fromLocation
    const wayBack = isReturn ? () => linkTo(pathname) : null
    end = whenDrawn(WAIT_MS, () => {
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading === null || heading === headingBefore) return false
      if (!takeFocus(heading, toLocation.pathname)) tellTitle()
      else if (wayBack !== null) end = whenDrawn(RETURN_MS, () => goOn(heading, wayBack()))
      return true
    })
  })
}

/** Returns false if the page, or a dialog over it, has taken the focus. */
function takeFocus(heading: HTMLElement, path: string): boolean {
  const active = document.activeElement
  if (active?.closest('main, dialog, [role=dialog]')) return false
  // the input in the top bar belongs to the search page
  if (path === '/search' && active?.closest('.one-box')) return false
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}

/** Moves the focus from the heading to a link; returns true when done. */
function goOn(heading: HTMLElement, link: HTMLElement | null): boolean {
  if (document.activeElement !== heading) return true
  link?.focus({ preventScroll: true })
  return link !== null
}

function linkTo(pathname: string): HTMLElement | null {
  const links = document.querySelectorAll<HTMLElement>('main a')
  return [...links].find((link) => link.getAttribute('href') === pathname && link.checkVisibility()) ?? null
}

/** Tries at once and after every DOM change, until it succeeds or times out. Returns a function that stops it. */
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

/** Announces the page to screen readers, once its title is set. */
function tellTitle(): void {
  window.setTimeout(() => {
    const place = document.getElementById(ANNOUNCEMENT_ID)
    if (place !== null) place.textContent = document.title
  }, TITLE_MS)
}

/** Skips the top bar, and on a session page everything above its messages. */
function SkipLinks() {
  const isSession = useRouterState({ select: ({ location }) => location.pathname.startsWith('/s/') })
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {isSession && (
        <button type="button" className="skip-link" onClick={goToConversation}>
          Skip to conversation
        </button>
      )}
    </>
  )
}

/** Goes to the message being read; if none is drawn, as in the cost view, to the main content. */
function goToConversation(): void {
  const stop = stopInSight() ?? document.getElementById('main')
  stop?.focus({ preventScroll: true })
  stop?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}
