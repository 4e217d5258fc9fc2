import { z } from 'zod'
import { readTimeField } from '../words/read-date.ts'

/** Larger limits are clamped, never refused. */
export const MAX_LIMIT = 1000

/** `limit=` of any list: a whole number; out of range is clamped. */
export function limitField(defaultLimit: number) {
  return z.coerce
    .number()
    .int()
    .catch(defaultLimit)
    .transform((limit) => Math.min(Math.max(limit, 0), MAX_LIMIT))
    .default(defaultLimit)
}

/** `csv`: the rows as a file, instead of everything as JSON. */
export const tableQuerySchema = z.object({ format: z.enum(['json', 'csv']).default('json') })

/** An ISO instant, a bare date `YYYY-MM-DD`, which is read in `tz`, or a span: `7d` is today and the six days before, `12h` counts from now. */
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
