import { z } from 'zod'

/** Files that the system did not let us open or read, of those that an answer is made of. Left out of answers where there are none. */
export const unreadSchema = z.strictObject({
  /** Folders that could not be listed count as one. */
  files: z.number(),
  /** How many for each code of the system: `{ "EACCES": 17 }`. */
  reasons: z.record(z.string(), z.number()),
})

export type Unread = z.infer<typeof unreadSchema>

/** Of how many of the session files an answer is made: fewer than all while they are read, or where a command needed no more. */
export const coverageSchema = z.strictObject({ filesDone: z.number(), filesTotal: z.number() })

export type Coverage = z.infer<typeof coverageSchema>

/** Raised only where a field is dropped or means something else; fields are added freely. */
export const SCHEMA_VERSION = 1

/** Whoever sends an answer puts the version in; what it is made of needs none. */
export const versionField = { schemaVersion: z.literal(SCHEMA_VERSION).optional() }

/** A whole answer. */
export function answer<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ ...versionField, ...shape })
}
