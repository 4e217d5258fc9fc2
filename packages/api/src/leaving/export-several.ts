import { z } from 'zod'
import { searchQuerySchema } from '../lists/search.ts'
import { exportQuerySchema } from '../session/export.ts'

/**
 * How several sessions leave, as a zip: those of `keys`, with commas between; or those in which a search finds something; or,
 * where a project alone is named, all of it. `keep` can only name kinds.
 */
export const exportSeveralQuerySchema = searchQuerySchema
  .omit({ sort: true, limit: true, cursor: true })
  .extend({ ...exportQuerySchema.shape, keys: z.string().max(7000).optional() })
/** What is asked of it. */
export type ExportSeveralQuery = z.output<typeof exportSeveralQuerySchema>
