import { z } from 'zod'

/** Files behind an answer that could not be opened or read. Left out where there are none. */
export const unreadSchema = z.strictObject({
  /** Folders that could not be listed count as one. */
  files: z.number(),
  /** How many for each code of the system: `{ "EACCES": 17 }`. */
  reasons: z.record(z.string(), z.number()),
})

export type Unread = z.infer<typeof unreadSchema>

/** How many of the session files an answer is made of: not all while they are being read, or where a command needed fewer. */
export const coverageSchema = z.strictObject({ filesDone: z.number(), filesTotal: z.number() })

export type Coverage = z.infer<typeof coverageSchema>

/** Raised only where a field is dropped or means something else; fields are added freely. */
export const SCHEMA_VERSION = 1

/** Only a whole answer carries the version, not its parts. */
export const versionField = { schemaVersion: z.literal(SCHEMA_VERSION).optional() }

/** A whole answer. */
export function answer<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ ...versionField, ...shape })
}
