import { projectSchema } from 'gemini-sessions'
import { z } from 'zod'

export const projectListSchema = z.strictObject({ projects: z.array(projectSchema), total: z.number() })
export type ProjectList = z.infer<typeof projectListSchema>
