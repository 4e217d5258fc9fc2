import { type FolderSearch, type FoldersSearch, projectChangeSchema } from '@gemini-dash/api'
import { CHANGE_POSITION_HEADER } from '@gemini-dash/api/paths'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Store } from '../../store/store.ts'
import { ApiFailure } from '../contract/api-failure.ts'
import type { ChangeFeed } from '../events/change-feed.ts'
import { found } from '../replies/found-session.ts'
import { keptOrRefused } from '../replies/kept-or-refused.ts'

const paramsSchema = z.object({ key: z.string() })
/** Nothing can be chosen; but only a page of ours can send JSON. */
const searchBodySchema = z.strictObject({})

export const projectRoutes: FastifyPluginAsyncZod<{ store: Store; feed: ChangeFeed }> = async (
  app,
  { store, feed },
) => {
  app.get('/api/projects', async (_request, reply) => {
    reply.header(CHANGE_POSITION_HEADER, String(feed.at))
    return store.projects()
  })

  app.put(
    '/api/projects/:key',
    { schema: { params: paramsSchema, body: projectChangeSchema } },
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
    { schema: { params: paramsSchema, body: searchBodySchema } },
    (request): Promise<FolderSearch> =>
      searchAlone(async () =>
        found(await store.findFolder(request.params.key, whenLeft(request)), 'project'),
      ),
  )
}

/** Ends what is done for a page that has gone. */
function whenLeft(request: FastifyRequest): AbortSignal {
  const left = new AbortController()
  request.raw.socket.once('close', () => left.abort())
  return left.signal
}
