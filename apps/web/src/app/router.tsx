import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { readCompareSearch } from '../lib/address/compare-search.ts'
import { readFileSearch } from '../lib/address/file-search.ts'
import { readFindSearch } from '../lib/address/find-search.ts'
import { readListSearch } from '../lib/address/list-search.ts'
import { plainSearchCodec } from '../lib/address/search-params.ts'
import { readSessionSearch } from '../lib/address/session-search.ts'
import { readUsageSearch } from '../lib/address/usage-search.ts'
import { HomePage } from '../pages/home-page.tsx'
import { NotFoundPage } from '../pages/refused/not-found-page.tsx'
import { beginSession } from '../pages/session/begin-session.ts'
import { holdScrollPlace } from './hold-scroll-place.ts'
import { loadPage } from './load-page.ts'
import { RootLayout } from './root-layout.tsx'
import { RouteError } from './route-error.tsx'

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
  beforeLoad: ({ context, params, search: { hit, show }, location: { hash }, preload }) => {
    // a link that is only pointed at has nothing read
    if (!preload) beginSession(context.client, { sessionRef: params.key, hash, hit, show })
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

const routeTree = rootRoute.addChildren([
  homeRoute,
  projectRoute,
  sessionRoute,
  searchRoute,
  usageRoute,
  compareRoute,
  fileRoute,
  doctorRoute,
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
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
