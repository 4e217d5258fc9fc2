import { z } from 'zod'
import { cutQuery } from './words/cut-query.ts'
import { readTimeField } from './words/read-date.ts'

/** Files behind an answer that could not be opened or read. Left out if there are none. */
export const unreadSchema = z.strictObject({
  /** A folder that could not be listed counts as one. */
  files: z.number(),
  /** Count per system error code: `{ "EACCES": 17 }`. */
  reasons: z.record(z.string(), z.number()),
})

export type Unread = z.infer<typeof unreadSchema>

/** How many session files an answer covers: not all while they are being read, or if a command needed fewer. */
export const coverageSchema = z.strictObject({ filesDone: z.number(), filesTotal: z.number() })

export type Coverage = z.infer<typeof coverageSchema>

/** Increased only if a field is removed or changes its meaning; new fields may be added at any time. */
export const SCHEMA_VERSION = 1

/** Only a whole answer has the version, not its parts. */
export const versionField = { schemaVersion: z.literal(SCHEMA_VERSION).optional() }

/** A complete answer, with its version. */
export function answer<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject({ ...versionField, ...shape })
}

/** Larger limits are clamped, never refused. */
export const MAX_LIMIT = 1000

/** `limit=` of any list: a whole number; clamped if out of range. */
export function limitField(defaultLimit: number) {
  return z.coerce
    .number()
    .int()
    .catch(defaultLimit)
    .transform((limit) => Math.min(Math.max(limit, 0), MAX_LIMIT))
    .default(defaultLimit)
}

/** An ISO instant, a bare date `YYYY-MM-DD` in zone `tz`, or a span: `7d` is today and the six days before, `12h` counts back from now. */
export const timeField = z
  .string()
  .max(40)
  .refine((text) => readTimeField(text, { zone: 'UTC', nowMs: 0 }) !== null, {
    message: 'is not a date or time',
  })

/** An IANA zone such as `Europe/Vienna`. */
export const zoneField = z
  .string()
  .max(64)
  .refine(isTimeZone, { message: 'is not a time zone, e.g. Europe/Vienna' })

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** A text of any length: an overlong text was pasted, and is cut. */
export const queryField = z.string().overwrite(cutQuery).default('')
