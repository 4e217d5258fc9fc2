import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiFailure } from '../../contract/api-failure.ts'

const bodySchema = z.strictObject({}).optional()

/** `openSample` null: this is the sample. */
export interface SampleRouteParts {
  openSample: (() => Promise<{ port: number; code: string | null }>) | null
}

/** Shows the sample sessions beside the user's own, at a port of their own of the same machine. */
export const sampleRoutes: FastifyPluginAsyncZod<SampleRouteParts> = async (app, { openSample }) => {
  app.post('/api/sample', { schema: { body: bodySchema } }, async ({ headers }) => {
    if (openSample === null)
      throw new ApiFailure('not-found', 'This is the sample already: there is none beside it.')
    try {
      const { port, code } = await openSample()
      // as the browser calls this machine; the guard has let it pass
      const host = (headers.host ?? '127.0.0.1').replace(/:\d+$/, '')
      return { url: `http://${host}:${port}/${code === null ? '' : `?code=${code}`}` }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new ApiFailure('unavailable', `The sample could not be opened: ${reason}`)
    }
  })
}
