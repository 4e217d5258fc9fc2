import { z } from 'zod'
import { costSchema } from './cost.ts'
import { tokenUsageSchema } from './token-usage.ts'

/** One project of the user: its hash and slug folders, in every home, are one Project. */
export const projectSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  /** The project's root, if proven. */
  path: z.string().nullable(),
  pathSource: z.enum(['marker', 'registry', 'hash', 'content', 'user', 'none']),
  /** Absolute paths of its folders under `tmp/`. */
  folders: z.array(z.string()),
  /** Main sessions. */
  sessions: z.number(),
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  lastActivity: z.string().nullable(),
})
export type Project = z.infer<typeof projectSchema>
