import { z } from 'zod'

/** Events carry names, never data: the page asks again through the call it used first. */
export const liveEventSchema = z.strictObject({
  /**
   * changed, removed: a session; index: progress or completion of the index; projects: a project came or went;
   * warnings: of the program, in `health` and `doctor`.
   */
  kind: z.enum(['changed', 'removed', 'index', 'projects', 'warnings']),
  sessionKey: z.string().optional(),
  projectKey: z.string().optional(),
})
export type LiveEvent = z.infer<typeof liveEventSchema>

/** Begins each stream, as an event named `hello`. */
export const streamHelloSchema = z.strictObject({
  kind: z.literal('hello'),
  /** The number of the last change; events go on from here. */
  at: z.number(),
  /** The script that the page of this server begins with: a page with another one is of another build. */
  page: z.string().nullable(),
})
export type StreamHello = z.infer<typeof streamHelloSchema>
