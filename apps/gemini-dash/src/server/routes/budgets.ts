import { budgetChangeSchema, budgetQuerySchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Store } from '../../store/store.ts'
import { found } from '../replies/found-session.ts'
import { keptOrRefused } from '../replies/kept-or-refused.ts'

const paramsSchema = z.object({ scope: z.string() })

export const budgetRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get('/api/budgets', { schema: { querystring: budgetQuerySchema } }, async ({ query }) =>
    store.budgets(query),
  )

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
