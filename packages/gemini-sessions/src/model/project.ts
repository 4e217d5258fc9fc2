import { z } from 'zod'
import { costSchema } from './cost.ts'
import { pathCandidateSchema } from './path-candidate.ts'
import { tokenUsageSchema } from './token-usage.ts'

/** One project of the user: its hash and slug folders, in every home, are one Project. */
export type Project = z.infer<typeof projectSchema>
export const projectSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  /** hash: nothing is known but the folder's name, a SHA-256. */
  nameSource: z.enum(['user', 'path', 'folder', 'hash']),
  /** Where only a hash names it: what its last session is about. */
  about: z.string().nullable(),
  /** The project's root, if proven, or as the CLI or the user says. */
  path: z.string().nullable(),
  pathSource: z.enum(['marker', 'registry', 'hash', 'content', 'user', 'none']),
  /** What speaks for which path, the strongest first; unproven ones are guesses. */
  candidates: z.array(pathCandidateSchema),
  /** There is no folder at `path` on this computer; null where nobody looked. */
  isPathGone: z.boolean().nullable(),
  /** Absolute paths of its folders under `tmp/`. */
  folders: z.array(z.string()),
  /** Main sessions. */
  sessions: z.number(),
  /** Those of them in which nothing was ever said. */
  emptySessions: z.number(),
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  lastActivity: z.string().nullable(),
})
