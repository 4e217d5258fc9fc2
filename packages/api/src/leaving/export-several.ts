import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { searchQuerySchema } from '../lists/search.ts'
import { exportQuerySchema } from '../session/export.ts'

/**
 * How several sessions leave, as a zip: those of `keys`, with commas between; or those in which a search finds something; or,
 * where a project alone is named, all of it. `keep` holds for all of them.
 */
export const exportSeveralQuerySchema = searchQuerySchema
  .omit({ sort: true, limit: true, cursor: true, timeout: true })
  .extend({ ...exportQuerySchema.shape, keys: z.string().max(7000).optional() })
/** What is asked of it. */
export type ExportSeveralQuery = z.output<typeof exportSeveralQuerySchema>

/** Which sessions leave together, in the order in which they do: each can be reviewed before. */
export const leavingSessionsSchema = answer({
  sessions: z.array(z.object({ key: z.string(), title: z.string() })),
})
export type LeavingSessions = z.infer<typeof leavingSessionsSchema>
