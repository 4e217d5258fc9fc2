import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Health } from '@gemini-dash/api'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Store } from '../../store/store.ts'
import { ApiFailure } from '../contract/api-failure.ts'

interface PageOptions {
  store: Store
  webFolder: string
}

/** The page is one file that draws every path; `webFolder` holds it beside its `assets/`. */
export const pageRoutes: FastifyPluginAsync<PageOptions> = async (app, { store, webFolder }) => {
  const files = await listFiles(webFolder)
  const indexHtml = files.has('index.html') ? await readFile(join(webFolder, 'index.html'), 'utf8') : null

  await app.register(fastifyStatic, { root: webFolder, serve: false, cacheControl: false, etag: true })

  const sendPage = (reply: FastifyReply, status: number) => {
    if (indexHtml === null)
      throw new ApiFailure('unavailable', 'The page is not built yet: run `npm run build`.')
    return reply.code(status).type('text/html; charset=utf-8').send(withNotices(indexHtml, store.health()))
  }

  for (const path of ['/', '/p/*', '/search', '/usage', '/compare', '/doctor', '/file', '/settings']) {
    app.get(path, async (_request, reply) => sendPage(reply, 200))
  }
  app.get<{ Params: { key: string } }>('/s/:key', async ({ params }, reply) => {
    const session = store.resolve(params.key)
    if (session.kind === 'one') store.content.expect(session.key)
    return sendPage(reply, 200)
  })
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const name = `assets/${request.params['*']}`
    if (!files.has(name)) throw new ApiFailure('not-found', 'There is no such file.')
    return reply.sendFile(name)
  })
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const name = request.params['*']
    return files.has(name) ? reply.sendFile(name) : sendPage(reply, 404)
  })
  app.get('/api/*', async () => {
    throw new ApiFailure('not-found', 'There is no such resource.')
  })
}

/** What the page has notices of is known before it asks for anything, so that they are there at once and move nothing. */
function withNotices(html: string, { now, warnings }: Pick<Health, 'now' | 'warnings'>): string {
  const told = JSON.stringify(warnings.map(({ code, message }) => ({ code, message })))
  const sample = now === null ? '' : ` data-sample-now="${now}"`
  const warned = warnings.length > 0 ? ` data-warnings="${encodeURIComponent(told)}"` : ''
  return html.replace('<html', (tag) => `${tag}${sample}${warned}`)
}

/** Known names, so that no request decides what is opened. */
async function listFiles(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return new Set(
    files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )
}
