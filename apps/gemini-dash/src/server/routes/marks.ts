import {
  markChangeSchema,
  markQuerySchema,
  messageMarkChangeSchema,
  type SessionMark,
  type View,
  type ViewChange,
  viewChangeSchema,
} from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { OwnMarks } from '../../own-data/marks/open-marks.ts'
import type { Store } from '../../store/store.ts'
import { foundSession } from '../replies/found-session.ts'
import { keptOrRefused } from '../replies/kept-or-refused.ts'

const sessionSchema = z.object({ key: z.string() })
const messageSchema = z.object({ key: z.string(), messageKey: z.string().min(1).max(1_000) })

/** @throws where that would be more than there may be */
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
  { store, marks: { book, views } },
) => {
  app.get('/api/marks', { schema: { querystring: markQuerySchema } }, ({ query: { session } }) => {
    const marks = store.marks()
    if (session === undefined) return { marks: Object.fromEntries(marks) }
    // nothing is said of one that is not there: a page may still ask while its session is being forgotten
    const key = store.resolve(session).kind === 'none' ? session : foundSession(store, session)
    const mark = marks.get(key)
    return { marks: mark === undefined ? {} : { [key]: mark } }
  })

  app.put('/api/marks/:key', { schema: { params: sessionSchema, body: markChangeSchema } }, (request) => {
    const key = sessionOf(request.params.key)
    keptOrRefused(() => book.change(key, request.body))
    return markOf(key)
  })

  app.put(
    '/api/marks/:key/messages/:messageKey',
    { schema: { params: messageSchema, body: messageMarkChangeSchema } },
    ({ params, body }) => {
      const key = sessionOf(params.key)
      keptOrRefused(() => book.changeMessage(key, params.messageKey, body))
      return markOf(key)
    },
  )

  app.get('/api/views', () => ({ views: views.read() }))

  app.put('/api/views', { schema: { body: viewChangeSchema } }, ({ body }) => {
    keptOrRefused(() => views.update((known) => changedViews(known, body)))
    return { views: views.read() }
  })

  /** Its key as it is now. A session that is gone is known by what was said of it. */
  function sessionOf(key: string): string {
    book.reload()
    return store.resolve(key).kind === 'none' && book.of(key) !== null ? key : foundSession(store, key)
  }

  function markOf(key: string): { mark: SessionMark | null } {
    return { mark: store.marks().get(key) ?? null }
  }
}
