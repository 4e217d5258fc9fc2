import { recoverQuerySchema, type WriteJournal } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { HomeJournal } from '../../../home-writes/home-journal.ts'
import { recoverSession } from '../../../recover/recover-session.ts'
import type { Recovering } from '../../../store/recovering.ts'
import type { Store } from '../../../store/store.ts'
import { found, foundSession } from '../../replies/found-session.ts'
import { orWhyNot } from './or-why-not.ts'

const sessionSchema = z.object({ key: z.string() })
const nothingSchema = z.strictObject({}).optional()

interface RecoverRouteParts {
  store: Store
  recovering: Recovering
  dataFolder: string | null
}

export const recoverRoutes: FastifyPluginAsyncZod<RecoverRouteParts> = async (app, parts) => {
  const { store, recovering, dataFolder } = parts

  app.post(
    '/api/sessions/:key/recover',
    { schema: { params: sessionSchema, querystring: recoverQuerySchema, body: nothingSchema } },
    async ({ params, query }) => {
      const key = foundSession(store, params.key)
      const how = { recovering, dataFolder, nowMs: Date.now() }
      return found(await orWhyNot(recoverSession(how, key, query.write === 'true')), 'session')
    },
  )

  app.get('/api/journal', (): WriteJournal => {
    const entries = dataFolder === null ? [] : new HomeJournal(dataFolder).entries()
    return {
      entries: entries.toReversed().map(({ files, folders: _, of: __, isBeingRemoved: ___, ...entry }) => ({
        ...entry,
        files: files.map(({ parts: names, ...file }) => ({ path: names.join('/'), ...file })),
      })),
    }
  })
}
