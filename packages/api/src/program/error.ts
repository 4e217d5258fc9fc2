import { z } from 'zod'

/** Why a request failed, each with its status. */
export const apiErrorCodeSchema = z.enum([
  'bad-request', // 400: a parameter is not of its form
  'forbidden', // 403: no session cookie, foreign Host or Origin
  'not-found', // 404: no such route, session, message or output
  'method-not-allowed', // 405
  'ambiguous', // 409: a sessionId that several sessions share; `keys` lists them
  'gone', // 410: the file was deleted while it was open
  'too-large', // 413
  'unsupported-media-type', // 415
  'too-many-requests', // 429
  'internal', // 500
  'unavailable', // 503
  'reader-stopped', // 503: the thread that reads sessions ended on the way
  'reader-timeout', // 504: it hung, and was ended
  'reader-unsendable', // 500: what it made could not be handed on
])
export type ApiErrorCode = z.infer<typeof apiErrorCodeSchema>

/** The one envelope of every failed answer. */
export const apiErrorSchema = z.strictObject({
  error: z.strictObject({
    code: apiErrorCodeSchema,
    message: z.string(),
    /** With `ambiguous`: the keys of the sessions that could be meant. */
    keys: z.array(z.string()).optional(),
  }),
})
export type ApiError = z.infer<typeof apiErrorSchema>
