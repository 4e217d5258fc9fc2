import { type Neighbours, neighboursSchema } from 'gemini-sessions'
import { z } from 'zod'
import { versionField } from '../fields/answer.ts'

/** What the CLI keeps of a session outside its file: the model as it is. */
export const sessionNeighboursSchema = neighboursSchema.extend(versionField)
export type SessionNeighbours = Neighbours

/** How much of a file that lies beside a session. */
export const neighbourFileQuerySchema = z.object({
  /** Only so many bytes of the beginning; all of the file if absent. */
  limit: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
})
export type NeighbourFileQuery = z.infer<typeof neighbourFileQuerySchema>
