import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { Access } from '../access/access.ts'
import type { Store } from '../store/store.ts'
import { ApiFailure } from './contract/api-failure.ts'
import { changePosition } from './contract/change-position.ts'
import { assertListed } from './contract/route-table.ts'
import { ChangeFeed } from './events/change-feed.ts'
import { pageScript } from './page-script.ts'
import type { ErrorReplyOptions } from './replies/error-replies.ts'
import { errorReplies, refuseConnection, sendFailure } from './replies/error-replies.ts'
import { withVersion } from './replies/with-version.ts'
import { budgetRoutes } from './routes/budgets.ts'
import { commandRoutes } from './routes/commands.ts'
import { comparisonRoutes } from './routes/comparison.ts'
import { doctorRoutes } from './routes/doctor.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes } from './routes/files.ts'
import { healthRoutes } from './routes/health.ts'
import { insightRoutes } from './routes/insights.ts'
import { messageRoutes } from './routes/messages.ts'
import { neighbourRoutes } from './routes/neighbours.ts'
import { pageRoutes } from './routes/pages.ts'
import { projectRoutes } from './routes/projects.ts'
import { searchRoutes } from './routes/search.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { usageRoutes } from './routes/usage.ts'
import { allowedNames } from './security/allowed-hosts.ts'
import { answerExpectations } from './security/answer-expectations.ts'
import { closeRefused } from './security/close-refused.ts'
import { FOREIGN_HOST, hostGuard } from './security/host-guard.ts'
import { isForThisServer } from './security/is-for-this-server.ts'
import { originGuard } from './security/origin-guard.ts'
import { refusalText } from './security/refusal-text.ts'
import { MAX_BODY_BYTES, MAX_URL_LENGTH, requestLimits } from './security/request-limits.ts'
import { securityHeaders } from './security/security-headers.ts'
import { sessionGuard } from './security/session-guard.ts'
import { waitForRows } from './wait-for-rows.ts'

export interface ServerOptions extends ErrorReplyOptions {
  store: Store
  /** null with `--no-token`: whoever reaches the port may read. */
  access: Access | null
  bindAddress: string
  /** Folder of the built page. */
  webFolder: string
  landingPath: () => string
}

const MAX_CONNECTIONS = 100
const REQUEST_TIMEOUT_MS = 10_000

/** The whole server, not yet listening. Guards come first and hold for every route, present and future. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const names = allowedNames(options.bindAddress)
  const app = fastify({
    // Without it an open event stream keeps close() waiting for ever.
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_URL_LENGTH },
    // zod validates and answers are plain JSON: Fastify's own compilers are not even loaded.
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
      // without `Host` Node would answer by itself; the guard refuses that, too
      requireHostHeader: false,
    },
    clientErrorHandler: refuseConnection,
    // The path could not be decoded: Fastify asks before any hook has run.
    frameworkErrors: (_error, request, reply) => {
      const failure = isForThisServer(request.raw, names)
        ? new ApiFailure('bad-request', 'The address could not be read.')
        : new ApiFailure('forbidden', FOREIGN_HOST)
      const { headers } = refusalText(failure)
      sendFailure(reply.headers(headers), failure)
    },
  })
  app.server.maxConnections = MAX_CONNECTIONS
  answerExpectations(app.server, names)
  app.setValidatorCompiler(validatorCompiler)
  app.addHook('onRoute', assertListed)
  app.addHook('preSerialization', async (_request, _reply, answer: object) => withVersion(answer))
  // JSON alone: a form or plain text can be sent from any page without asking first.
  app.removeContentTypeParser('text/plain')

  await registerGuards(app, options, names)
  await registerRoutes(app, options)
  return app
}

function neverAsked(): never {
  throw new Error('Schemas are validated by zod.')
}

async function registerGuards(app: FastifyInstance, options: ServerOptions, names: string[]): Promise<void> {
  await app.register(errorReplies, { reportProblem: options.reportProblem })
  await app.register(securityHeaders)
  await app.register(hostGuard, { names })
  await app.register(originGuard, { names })
  await app.register(requestLimits)
  if (options.access !== null) {
    await app.register(sessionGuard, { access: options.access, landingPath: options.landingPath })
  }
  await app.register(closeRefused)
}

async function registerRoutes(app: FastifyInstance, { store, webFolder }: ServerOptions): Promise<void> {
  const feed = new ChangeFeed(store)
  await app.register(changePosition, { feed })
  await app.register(waitForRows, { store })
  await app.register(healthRoutes, { store })
  await app.register(projectRoutes, { store })
  await app.register(sessionRoutes, { store })
  await app.register(messageRoutes, { store })
  await app.register(insightRoutes, { store })
  await app.register(neighbourRoutes, { store })
  await app.register(fileRoutes, { store })
  await app.register(searchRoutes, { store })
  await app.register(comparisonRoutes, { store })
  await app.register(usageRoutes, { store })
  await app.register(budgetRoutes, { store })
  await app.register(doctorRoutes, { store })
  await app.register(commandRoutes, { store })
  await app.register(eventRoutes, { store, feed, pageScript: () => pageScript(webFolder) })
  await app.register(pageRoutes, { store, webFolder })
}
