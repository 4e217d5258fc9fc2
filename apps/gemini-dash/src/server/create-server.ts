import { readFile } from 'node:fs/promises'
import type { Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { CHANGE_POSITION_HEADER } from '@gemini-dash/api/paths'
import fastify, { type FastifyInstance } from 'fastify'
import plugin from 'fastify-plugin'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { Access } from '../access.ts'
import type { Keeper } from '../keep/keeper.ts'
import type { OwnMarks } from '../own-data/open-marks.ts'
import type { OwnSettings } from '../settings.ts'
import type { OwnCache } from '../store/cache.ts'
import type { Forgetting } from '../store/create-store.ts'
import type { Recovering } from '../store/recovering.ts'
import type { Store } from '../store/store.ts'
import { allowedNames, type ServedNames } from './allowed-hosts.ts'
import { ApiFailure, assertListed, bodyLimitOf, kindOfRequest } from './contract.ts'
import { ChangeFeed } from './events.ts'
import {
  type ErrorReplyOptions,
  errorReplies,
  refuseConnection,
  sendFailure,
  withVersion,
} from './replies.ts'
import { exportRoutes } from './routes/export.ts'
import { moveRoutes, recoverRoutes } from './routes/home-writes.ts'
import {
  marksFileRoutes,
  type OpenedRouteParts,
  openedRoutes,
  type SampleRouteParts,
  sampleRoutes,
  settingsRoutes,
} from './routes/program.ts'
import { questionRoutes } from './routes/questions.ts'
import {
  budgetRoutes,
  commandRoutes,
  eventRoutes,
  keepRoutes,
  markRoutes,
  pageRoutes,
  projectRoutes,
} from './routes/routes.ts'
import { sessionAnswerRoutes } from './routes/sessions.ts'
import {
  ConnectionLimit,
  foreignHost,
  hostGuard,
  isForThisServer,
  MAX_URL_LENGTH,
  noteAdmitted,
  originGuard,
  refusalText,
  refuseBeyondLimit,
  requestLimits,
  securityHeaders,
  sessionGuard,
} from './security.ts'

/** Adds to each answer the number of the last change before the request: later changes may not be included. */
const tellChangePosition = plugin(async (app, { feed }: { feed: ChangeFeed }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (kindOfRequest(request) === 'api') reply.header(CHANGE_POSITION_HEADER, String(feed.at))
  })
})

/** Resources that can answer before every session has its row; a search reports how many of the files it covers. */
const EARLY_ROUTES = new Set(['/api/health', '/api/sessions', '/api/events', '/api/search'])
/** A session that is on disk but has no row yet is not missing: requests for it wait. A forgotten session counts as missing. */
const waitForRows = plugin<Pick<ServerOptions, 'store' | 'forgetting'>>(
  async (app, { store, forgetting }) => {
    app.addHook('preHandler', async (request) => {
      const { url = '' } = request.routeOptions
      if (!url.startsWith('/api/')) return
      if (!EARLY_ROUTES.has(url)) await store.whenRowsStand()
      await forgetting.catchUp()
    })
  },
)

export interface ServerOptions extends ErrorReplyOptions, SampleRouteParts, OpenedRouteParts {
  store: Store
  keeper: Keeper
  marks: OwnMarks
  forgetting: Forgetting
  recovering: Recovering
  cache: OwnCache
  settings: OwnSettings
  lookAgain: () => Promise<void>
  /** null: nothing is stored on disk. */
  dataFolder: string | null
  /** null with `--no-token`: anyone who can reach the port may read. */
  access: Access | null
  bindAddress: string
  /** From `--allow-host`. */
  allowedHosts: string[]
  /** Folder of the built page. */
  webFolder: string
  landingPath: () => string
}

const REQUEST_TIMEOUT_MS = 10_000

/** The whole server, not listening yet. Guards are registered first and apply to every route, present and future. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const served = { names: allowedNames(options.bindAddress), allowed: options.allowedHosts }
  const app = fastify({
    // Otherwise an open event stream would block close() forever.
    forceCloseConnections: true,
    // Requests are answered normally until their connection ends: Fastify's own 503 lacks our headers.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: bodyLimitOf(undefined),
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    // zod validates and answers are plain JSON, so Fastify's own compilers are not loaded.
    schemaController: {
      compilersFactory: {
        buildValidator: neverAsked,
        buildSerializer: () => () => JSON.stringify,
      },
    },
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: REQUEST_TIMEOUT_MS - 1_000,
      connectionsCheckingInterval: 1_000,
      // otherwise Node.js itself answers requests without `Host`; the guard refuses those, too
      requireHostHeader: false,
    },
    clientErrorHandler: refuseConnection,
    // The path could not be decoded: Fastify calls this before any hook.
    frameworkErrors: (_error, request, reply) => {
      const failure = isForThisServer(request.raw, served)
        ? new ApiFailure('bad-request', 'The address could not be read.')
        : foreignHost(request.raw)
      const { headers } = refusalText(failure)
      sendFailure(reply.headers(headers), failure)
    },
  })
  answerExpectations(app.server, served)
  app.setValidatorCompiler(validatorCompiler)
  app.addHook('onRoute', assertListed)
  app.addHook('preSerialization', async (_request, _reply, answer: object) => withVersion(answer))
  // Only JSON: any page can send a form or plain text without a CORS preflight.
  app.removeContentTypeParser('text/plain')

  await registerGuards(app, options, served)
  await registerRoutes(app, options)
  return app
}

function neverAsked(): never {
  throw new Error('Schemas are validated by zod.')
}

async function registerGuards(
  app: FastifyInstance,
  options: ServerOptions,
  served: ServedNames,
): Promise<void> {
  await app.register(errorReplies, { reportProblem: options.reportProblem })
  await app.register(securityHeaders)
  await app.register(hostGuard, { served })
  await app.register(originGuard, { served })
  const limit = new ConnectionLimit(app.server, (reached) => tellOfLimit(options.store, reached))
  await app.register(refuseBeyondLimit, { limit })
  await app.register(requestLimits)
  if (options.access !== null) {
    await app.register(sessionGuard, { access: options.access, landingPath: options.landingPath })
  }
  await app.register(noteAdmitted, { limit })
  await app.register(closeRefused)
}

function tellOfLimit({ warnings }: Store, message: string | null): void {
  const code = 'connections-full'
  const advice = 'Another program may be using them. Quit it, or close pages that you don’t need.'
  if (message === null) warnings.clear(code)
  else warnings.warn({ code, message, advice })
}

async function registerRoutes(
  app: FastifyInstance,
  { store, keeper, marks, forgetting, recovering, dataFolder, webFolder, ...own }: ServerOptions,
): Promise<void> {
  const { cache, settings, lookAgain, openSample, openedFiles } = own
  const feed = new ChangeFeed(store)
  keeper.subscribe(() => feed.tell({ kind: 'keep' }))
  await app.register(tellChangePosition, { feed })
  await app.register(waitForRows, { store, forgetting })
  await app.register(projectRoutes, { store })
  await app.register(questionRoutes, { store, keeper, marks, settings, dataFolder })
  await app.register(sessionAnswerRoutes, { store })
  await app.register(exportRoutes, { store })
  await app.register(budgetRoutes, { store })
  await app.register(keepRoutes, { store, keeper, forgetting, marks: marks.store })
  await app.register(recoverRoutes, { store, recovering, dataFolder })
  await app.register(moveRoutes, { store, recovering, dataFolder })
  await app.register(markRoutes, { store, marks })
  await app.register(marksFileRoutes, { marks })
  await app.register(settingsRoutes, { settings, cache, feed, lookAgain })
  await app.register(sampleRoutes, { openSample })
  await app.register(openedRoutes, { openedFiles })
  await app.register(commandRoutes, { store })
  await app.register(eventRoutes, { store, feed, pageScript: () => pageScript(webFolder) })
  await app.register(pageRoutes, { store, webFolder })
}

/**
 * URL of the script that the built page loads. It changes whenever the page does, because it contains the names of all parts, and each is
 * named by a hash of its content.
 */
async function pageScript(webFolder: string): Promise<string | null> {
  const html = await readFile(join(webFolder, 'index.html'), 'utf8').catch(() => '')
  return /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? null
}

/** Node.js answers `Expect` by itself, before any guard, without our headers and without closing the connection. */
function answerExpectations(server: Server, served: ServedNames): void {
  server.on('checkExpectation', (request, response: ServerResponse) => {
    const failure = isForThisServer(request, served)
      ? new ApiFailure('bad-request', 'What the request expects is not offered here.', { status: 417 })
      : foreignHost(request)
    const { headers, body } = refusalText(failure)
    response.writeHead(failure.status, headers).end(body)
  })
  server.on('checkContinue', (request, response: ServerResponse) => {
    // a foreign host's body is never requested
    if (isForThisServer(request, served)) response.writeContinue()
    server.emit('request', request, response)
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Every guard has let it pass. */
    isAdmitted: boolean
  }
}

/** Status codes after which even an admitted client loses its connection. */
const STATUSES_OF_LIMITS = new Set([413, 415, 429])

/**
 * A refused request loses its connection: kept alive, a hundred of them would occupy all connections and lock out legitimate clients. Must
 * be registered after all guards: a request that gets this far is admitted.
 */
const closeRefused = plugin(async (app) => {
  app.decorateRequest('isAdmitted', false)
  app.addHook('onRequest', async (request) => {
    request.isAdmitted = true
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const isRefused = !request.isAdmitted && reply.statusCode >= 400
    if (isRefused || STATUSES_OF_LIMITS.has(reply.statusCode)) reply.header('Connection', 'close')
    return payload
  })
})
