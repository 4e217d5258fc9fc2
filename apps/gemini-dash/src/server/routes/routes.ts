import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import fastifyStatic from '@fastify/static'
import {
  budgetChangeSchema,
  budgetQuerySchema,
  type FolderSearch,
  type FoldersSearch,
  type Health,
  keepChangeSchema,
  markChangeSchema,
  messageMarkChangeSchema,
  projectChangeSchema,
  type SessionMark,
  type View,
  type ViewChange,
  viewChangeSchema,
} from '@gemini-dash/api'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ForgetParts, forgetSession } from '../../forget/forget-session.ts'
import type { Keeper } from '../../keep/keeper.ts'
import type { OwnMarks } from '../../own-data/open-marks.ts'
import { answerCommand, commandQuestionSchema } from '../../store/command-question.ts'
import type { Store } from '../../store/store.ts'
import { readSessionCookie } from '../allowed-hosts.ts'
import { ApiFailure } from '../contract.ts'
import { type ChangeFeed, type EventStream, openEventStream } from '../events.ts'
import { done, found, foundSession, keptOrRefused } from '../replies.ts'

const sessionSchema = z.object({ key: z.string() })
const messageSchema = z.object({ key: z.string(), messageKey: z.string().min(1).max(1_000) })

/** @throws if that would exceed the maximum number */
function changedViews(known: readonly View[], { views, seen }: ViewChange): View[] {
  if (seen === undefined) return views
  const [names, sent] = [known, views].map((list) => new Set(list.map(({ name }) => name)))
  const kept = views.filter(({ name }) => names?.has(name) || !seen.includes(name))
  const others = known.filter(({ name }) => !sent?.has(name) && !seen.includes(name))
  const { data, error } = viewChangeSchema.shape.views.safeParse([...kept, ...others])
  if (data === undefined) throw new Error(error.issues[0]?.message)
  return data
}

export const markRoutes: FastifyPluginAsyncZod<{ store: Store; marks: OwnMarks }> = async (
  app,
  { store, marks: { store: registry, views } },
) => {
  app.put('/api/marks/:key', { schema: { params: sessionSchema, body: markChangeSchema } }, (request) => {
    const key = sessionOf(request.params.key)
    keptOrRefused(() => registry.change(key, request.body))
    return markOf(key)
  })

  app.put(
    '/api/marks/:key/messages/:messageKey',
    { schema: { params: messageSchema, body: messageMarkChangeSchema } },
    ({ params, body }) => {
      const key = sessionOf(params.key)
      keptOrRefused(() => registry.changeMessage(key, params.messageKey, body))
      return markOf(key)
    },
  )

  app.put('/api/views', { schema: { body: viewChangeSchema } }, ({ body }) => {
    keptOrRefused(() => views.update((known) => changedViews(known, body)))
    return { views: views.read() }
  })

  /** Its current key. A session that is gone is known by its marks. */
  function sessionOf(key: string): string {
    registry.reload()
    return store.resolve(key).kind === 'none' && registry.of(key) !== null ? key : foundSession(store, key)
  }

  function markOf(key: string): { mark: SessionMark | null } {
    return { mark: store.marks().get(key) ?? null }
  }
}

const paramsSchema = z.object({ scope: z.string() })

export const budgetRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.put(
    '/api/budgets/:scope',
    { schema: { params: paramsSchema, querystring: budgetQuerySchema, body: budgetChangeSchema } },
    async ({ params, query, body }) => {
      found(
        keptOrRefused(() => store.setBudget(params.scope, body)),
        'project',
      )
      return store.budgets(query)
    },
  )
}

/**
 * Used by commands instead of reading cache and files themselves: scans the disk first, and returns what the command would have found. As
 * lines of JSON, since the messages of a long session can exceed the maximum length of a string.
 */
export const commandRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.post('/api/command', { schema: { body: commandQuestionSchema } }, async ({ body }, reply) => {
    const asCommand = await store.asCommand()
    if (asCommand === null) throw new ApiFailure('unavailable', 'A command would answer this otherwise.')
    const answer = await answerCommand(asCommand, body)
    return reply.type('application/x-ndjson').send(Readable.from(linesOf(answer), { objectMode: false }))
  })
}

/** The answer without its messages, followed by each message. */
function* linesOf(answer: object): IterableIterator<string> {
  const messages: unknown[] = 'messages' in answer && Array.isArray(answer.messages) ? answer.messages : []
  yield `${JSON.stringify('messages' in answer ? { ...answer, messages: messages.length } : answer)}\n`
  for (const message of messages) yield `${JSON.stringify(message)}\n`
}

/** All tabs of a browser share one stream; a browser without locks opens one for each visible tab. */
const MAX_STREAMS_PER_CLIENT = 20

interface EventOptions {
  store: Store
  feed: ChangeFeed
  /** The script that the page loads; null if no page is built. */
  pageScript: () => Promise<string | null>
}

/** Events contain only names. Nothing is replayed: each has a number, so a client that missed one notices and asks again. */
export const eventRoutes: FastifyPluginAsyncZod<EventOptions> = async (app, { store, feed, pageScript }) => {
  const streams = new Map<EventStream, string>()
  const page = await pageScript()

  feed.subscribe((at, event) => {
    for (const stream of streams.keys()) stream.send(at, event)
  })
  app.addHook('preClose', async () => {
    feed.close()
    for (const stream of streams.keys()) stream.close()
  })

  app.get('/api/events', (request, reply) => {
    const client = clientOf(request)
    const openStreams = [...streams.values()].filter((each) => each === client).length
    if (openStreams >= MAX_STREAMS_PER_CLIENT) {
      throw new ApiFailure('too-many-requests', 'This browser already has 20 tabs connected.')
    }
    reply.header('Content-Type', 'text/event-stream; charset=utf-8')
    if (request.method === 'HEAD') return reply.send()

    const headers = reply.getHeaders()
    reply.hijack()
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.raw.flushHeaders()
    const stream = openEventStream(reply.raw, () => {
      streams.delete(stream)
      store.setOpenPages(streams.size)
    })
    stream.greet({ kind: 'hello', at: feed.at, page })
    streams.set(stream, client)
    store.setOpenPages(streams.size)
  })
}

function clientOf(request: FastifyRequest): string {
  return readSessionCookie(request.headers.cookie, request.socket.localPort ?? 0) ?? request.ip
}

const nowBodySchema = z.strictObject({}).optional()

interface KeepParts extends Omit<ForgetParts, 'archives'> {
  keeper: Keeper
}

export const keepRoutes: FastifyPluginAsyncZod<KeepParts> = async (app, { keeper, ...parts }) => {
  app.put('/api/keep', { schema: { body: keepChangeSchema } }, ({ body }) => done(keeper.change(body)))

  app.post('/api/keep/now', { schema: { body: nowBodySchema } }, () => done(keeper.now()))

  app.post(
    '/api/sessions/:key/forget',
    { schema: { params: sessionSchema, body: nowBodySchema } },
    async ({ params }) => {
      const key = foundSession(parts.store, params.key)
      return found(await done(forgetSession({ ...parts, archives: keeper }, key)), 'session')
    },
  )
}

interface PageOptions {
  store: Store
  webFolder: string
}

/** A single page serves every path; `webFolder` contains it and its `assets/`. */
export const pageRoutes: FastifyPluginAsync<PageOptions> = async (app, { store, webFolder }) => {
  const files = await listFiles(webFolder)
  const indexHtml = files.has('index.html') ? await readFile(join(webFolder, 'index.html'), 'utf8') : null

  await app.register(fastifyStatic, { root: webFolder, serve: false, cacheControl: false, etag: true })

  const sendPage = (reply: FastifyReply, status: number) => {
    if (indexHtml === null)
      throw new ApiFailure('unavailable', 'The page is not built yet: run `npm run build`.')
    return reply.code(status).type('text/html; charset=utf-8').send(withNotices(indexHtml, store.health()))
  }

  for (const path of [
    '/',
    '/p/*',
    '/search',
    '/usage',
    '/compare',
    '/doctor',
    '/file',
    '/open',
    '/settings',
    '/settings/:section',
  ]) {
    app.get(path, async (_request, reply) => sendPage(reply, 200))
  }
  app.get<{ Params: { key: string } }>('/s/:key', async ({ params }, reply) => {
    const session = store.resolve(params.key)
    if (session.kind === 'one') store.content.expect(session.key)
    return sendPage(reply, 200)
  })
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const name = `assets/${request.params['*']}`
    if (!files.has(name)) throw new ApiFailure('not-found', 'File not found.')
    return reply.sendFile(name)
  })
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const name = request.params['*']
    return files.has(name) ? reply.sendFile(name) : sendPage(reply, 404)
  })
  app.get('/api/*', async () => {
    throw new ApiFailure('not-found', 'Resource not found.')
  })
}

/** The page gets its notices before it makes any request, so that they are shown at once and cause no layout shift. */
function withNotices(html: string, { now, warnings }: Pick<Health, 'now' | 'warnings'>): string {
  const listed = JSON.stringify(warnings.map(({ code, message }) => ({ code, message })))
  const sample = now === null ? '' : ` data-sample-now="${now}"`
  const warned = warnings.length > 0 ? ` data-warnings="${encodeURIComponent(listed)}"` : ''
  return html.replace('<html', (tag) => `${tag}${sample}${warned}`)
}

/** A fixed set of names, so that no request determines what is opened. */
async function listFiles(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return new Set(
    files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )
}

const projectParamsSchema = z.object({ key: z.string() })
/** There are no options; but requiring JSON ensures that only our own pages can send it. */
const searchBodySchema = z.strictObject({})

export const projectRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.put(
    '/api/projects/:key',
    { schema: { params: projectParamsSchema, body: projectChangeSchema } },
    async ({ params, body }) =>
      found(
        keptOrRefused(() => store.changeProject(params.key, body)),
        'project',
      ),
  )

  let isSearching = false
  /** One at a time: a search reads tens of thousands of folders. */
  const searchAlone = async <Found>(search: () => Promise<Found>): Promise<Found> => {
    if (isSearching) throw new ApiFailure('too-many-requests', 'A search for a folder is running already.')
    isSearching = true
    try {
      return await search()
    } finally {
      isSearching = false
    }
  }
  app.post(
    '/api/projects/folder-search',
    { schema: { body: searchBodySchema } },
    (request): Promise<Omit<FoldersSearch, 'schemaVersion'>> =>
      searchAlone(async () => {
        const { wanted, found, looked } = await store.findFolders(whenLeft(request))
        return { wanted, found: found.size, looked }
      }),
  )
  app.post(
    '/api/projects/:key/folder-search',
    { schema: { params: projectParamsSchema, body: searchBodySchema } },
    (request): Promise<FolderSearch> =>
      searchAlone(async () =>
        found(await store.findFolder(request.params.key, whenLeft(request)), 'project'),
      ),
  )
}

/** Aborts work for a page that has disconnected. */
function whenLeft(request: FastifyRequest): AbortSignal {
  const left = new AbortController()
  request.raw.socket.once('close', () => left.abort())
  return left.signal
}
