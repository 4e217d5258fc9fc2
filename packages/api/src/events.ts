import { z } from 'zod'

/** What changed, by name: clients that show it fetch it again. */
export const liveEventSchema = z.strictObject({
  /**
   * changed, removed: a session; marked: only its star, note or tags changed; index: progress or completion of the index; projects: a
   * project was added, removed or renamed; warnings: of the program, in `health` and `doctor`; keep: an archive scan progressed or ended,
   * or the archive was turned on or off.
   */
  kind: z.enum(['changed', 'removed', 'marked', 'index', 'projects', 'warnings', 'keep']),
  /** For `changed`, `removed` and `marked`. */
  sessionKey: z.string().optional(),
  projectKey: z.string().optional(),
})
export type LiveEvent = z.infer<typeof liveEventSchema>

/** First event of each stream, named `hello`. */
export const streamHelloSchema = z.strictObject({
  kind: z.literal('hello'),
  /** Number of the last change; events continue from here. */
  at: z.number(),
  /** The entry script of this server's page: a page with a different one is from another build. */
  page: z.string().nullable(),
})
export type StreamHello = z.infer<typeof streamHelloSchema>
