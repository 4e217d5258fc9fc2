import { z } from 'zod'

/** Raised only where a field is dropped or means something else; fields are added freely. */
export const SCHEMA_VERSION = 1

/** Whoever sends an answer puts the version in; what it is made of needs none. */
export const versionField = { schemaVersion: z.literal(SCHEMA_VERSION).optional() }

/** A whole answer. */
export function answer<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ ...versionField, ...shape })
}
