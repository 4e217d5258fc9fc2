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
