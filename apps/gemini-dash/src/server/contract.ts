import { type ApiErrorCode, questions, sessionQuestions } from '@gemini-dash/api'
import { MAX_SENT_BYTES } from '@gemini-dash/api/paths'

const STATUS_OF: Record<ApiErrorCode, number> = {
  'bad-request': 400,
  forbidden: 403,
  foreign: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  ambiguous: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
  'reader-stopped': 503,
  'reader-timeout': 504,
  'reader-unsendable': 500,
}

/** A failed request. Thrown by routes and guards, sent in the common error envelope. */
export class ApiFailure extends Error {
  readonly code: ApiErrorCode
  readonly status: number
  readonly keys: string[] | undefined

  constructor(code: ApiErrorCode, message: string, details: { status?: number; keys?: string[] } = {}) {
    super(message)
    this.code = code
    this.status = details.status ?? STATUS_OF[code]
    this.keys = details.keys
  }
}

/**
 * The kind of a route determines how it is guarded, cached and refused:
 * - page: HTML for a person
 * - asset: a file of the page, named by its hash
 * - api: JSON
 * - stream: server-sent events
 */
export type RouteKind = 'page' | 'asset' | 'api' | 'stream'

/**
 * Every route of the server. All require the session cookie: there is no public kind. A route that is not listed here cannot be registered.
 */
const ROUTE_KINDS: ReadonlyMap<string, RouteKind> = new Map<string, RouteKind>([
  ['/', 'page'],
  ['/p/*', 'page'],
  ['/s/:key', 'page'],
  ['/search', 'page'],
  ['/usage', 'page'],
  ['/compare', 'page'],
  ['/doctor', 'page'],
  ['/file', 'page'],
  ['/open', 'page'],
  ['/settings', 'page'],
  ['/settings/:section', 'page'],
  ['/*', 'page'],
  ['/assets/*', 'asset'],
  ['/api/*', 'api'],
  ...questions.map((question) => [`/api/${question}`, 'api'] as const),
  ...sessionQuestions.map((question) => [`/api/sessions/:key/${question}`, 'api'] as const),
  ['/api/projects/:key', 'api'],
  ['/api/projects/folder-search', 'api'],
  ['/api/projects/:key/folder-search', 'api'],
  ['/api/sessions/:key/forget', 'api'],
  ['/api/sessions/:key/recover', 'api'],
  ['/api/sessions/:key/fork', 'api'],
  ['/api/sessions/:key/move', 'api'],
  ['/api/projects/:key/move', 'api'],
  ['/api/sessions/:key/export', 'api'],
  ['/api/export', 'api'],
  ['/api/budgets/:scope', 'api'],
  ['/api/marks/file', 'api'],
  ['/api/marks/:key', 'api'],
  ['/api/marks/:key/messages/:messageKey', 'api'],
  ['/api/keep/now', 'api'],
  ['/api/cache/clear', 'api'],
  ['/api/sample', 'api'],
  ['/api/open', 'api'],
  ['/api/command', 'api'],
  ['/api/events', 'stream'],
])

/** The routes that change or start something, each with its one method for that; all others are read-only. */
const CHANGING_ROUTES: ReadonlyMap<string, string> = new Map([
  ['/api/projects/:key', 'PUT'],
  ['/api/projects/folder-search', 'POST'],
  ['/api/projects/:key/folder-search', 'POST'],
  ['/api/budgets/:scope', 'PUT'],
  ['/api/marks/file', 'PUT'],
  ['/api/marks/:key', 'PUT'],
  ['/api/marks/:key/messages/:messageKey', 'PUT'],
  ['/api/views', 'PUT'],
  ['/api/sessions/:key/forget', 'POST'],
  ['/api/sessions/:key/recover', 'POST'],
  ['/api/sessions/:key/fork', 'POST'],
  ['/api/sessions/:key/move', 'POST'],
  ['/api/projects/:key/move', 'POST'],
  ['/api/keep', 'PUT'],
  ['/api/keep/now', 'POST'],
  ['/api/settings', 'PUT'],
  ['/api/cache/clear', 'POST'],
  ['/api/sample', 'POST'],
  ['/api/open', 'POST'],
  ['/api/command', 'POST'],
])

/** Those of them that also return the current value on GET. */
const ANSWERING_TOO: ReadonlySet<string> = new Set([
  '/api/keep',
  '/api/views',
  '/api/settings',
  '/api/marks/file',
])

/** Requests contain questions or notes. */
const MAX_BODY_BYTES = 64 * 1024
/** All stars, notes, tags and titles. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/** Size limit of a request body. */
export function bodyLimitOf(pattern: string | undefined): number {
  if (pattern === '/api/open') return MAX_SENT_BYTES
  return pattern === '/api/marks/file' ? MAX_FILE_BYTES : MAX_BODY_BYTES
}

/** For a request body above the limit of its route. */
export function tooLargeBody(pattern: string | undefined): ApiFailure {
  return new ApiFailure(
    'too-large',
    pattern === '/api/open'
      ? `The file is larger than ${MAX_SENT_BYTES / 1024 ** 2} MB. Open it in a terminal: gemini-dash open PATH`
      : `The body is larger than ${bodyLimitOf(pattern) / 1024} KB.`,
  )
}

export const listedRoutes = [...ROUTE_KINDS.keys()]

function kindOfRoute(pattern: string): RouteKind {
  const kind = ROUTE_KINDS.get(pattern)
  if (kind === undefined) throw new Error(`The route ${pattern} is not in the route table`)
  return kind
}

/** Called for each registered route: an unlisted route or method is a programming error. */
export function assertListed({ url, method }: { url: string; method: string | string[] }): void {
  kindOfRoute(url)
  const foreign = [method].flat().find((each) => !methodsOf(url).includes(each))
  if (foreign !== undefined) throw new Error(`${foreign} ${url} is not in the route table`)
}

/** All methods that a route accepts. */
export function methodsOf(pattern: string): string[] {
  const changing = changingMethodOf(pattern)
  if (changing === null) return ['GET', 'HEAD']
  return ANSWERING_TOO.has(pattern) ? ['GET', 'HEAD', changing] : [changing]
}

/** The method by which a route changes something; null for one that only accepts GET and HEAD. */
export function changingMethodOf(pattern: string | undefined): string | null {
  return CHANGING_ROUTES.get(pattern ?? '') ?? null
}

/** For a request that matched no route (because of its method): by its path. */
export function kindOfRequest(request: {
  url: string
  routeOptions: { url?: string | undefined }
}): RouteKind {
  const pattern = request.routeOptions.url
  if (pattern !== undefined) return kindOfRoute(pattern)
  return request.url.startsWith('/api/') ? 'api' : 'page'
}
