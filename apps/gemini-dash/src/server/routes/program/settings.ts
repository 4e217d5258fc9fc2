import { cacheClearSchema, settingsChangeSchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { OwnSettings } from '../../../settings/own-settings.ts'
import type { OwnCache } from '../../../store/cache/own-cache.ts'
import { ApiFailure } from '../../contract/api-failure.ts'
import type { ChangeFeed } from '../../events/change-feed.ts'
import { keptOrRefused } from '../../replies/kept-or-refused.ts'

interface SettingsRouteParts {
  settings: OwnSettings
  cache: OwnCache
  feed: ChangeFeed
  /** Costs are worked out anew with other prices. */
  lookAgain: () => void
}

export const settingsRoutes: FastifyPluginAsyncZod<SettingsRouteParts> = async (app, parts) => {
  const { settings, cache, feed, lookAgain } = parts

  app.get('/api/settings', () => settings.read())

  app.put('/api/settings', { schema: { body: settingsChangeSchema } }, ({ body }) => {
    const isRepriced = keptOrRefused(() => settings.change(body))
    if (isRepriced) lookAgain()
    // labels of homes and the plan stand on every page
    feed.tell({ kind: 'projects' })
    return settings.read()
  })

  app.post(
    '/api/cache/clear',
    { schema: { body: cacheClearSchema.default({ of: 'all' }) } },
    async ({ body }) => {
      try {
        return await cache.clear(body.of)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new ApiFailure('unavailable', `The cache could not be cleared: ${reason}.`)
      }
    },
  )
}
