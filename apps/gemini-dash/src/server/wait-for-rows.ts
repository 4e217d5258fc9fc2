import plugin from 'fastify-plugin'
import type { Store } from '../store/store.ts'

/** Resources that can answer before every session has its row; a search says of how much of the files it tells. */
const EARLY_ROUTES = new Set(['/api/health', '/api/sessions', '/api/events', '/api/search'])

/** A session that is on disk but has no row yet is not missing: whoever asks for it waits. */
export const waitForRows = plugin<{ store: Store }>(async (app, { store }) => {
  app.addHook('preHandler', async (request) => {
    const { url = '' } = request.routeOptions
    if (url.startsWith('/api/') && !EARLY_ROUTES.has(url)) await store.whenRowsStand()
  })
})
