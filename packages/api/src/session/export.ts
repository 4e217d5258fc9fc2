import { z } from 'zod'
import { answer } from '../fields/answer.ts'
import { zoneField } from '../fields/query-fields.ts'

/** How much of a conversation is told; each holds all that stands before it. */
export const DEPTHS = ['prompts', 'talk', 'thoughts', 'tools', 'all'] as const
/** One of them. */
export type Depth = (typeof DEPTHS)[number]

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'is not a whole number')
  .transform(Number)

/** What of a session is told: how much, one turn by its number, the last so many turns. Nothing given: all of it. */
export const partQuerySchema = z.object({
  depth: z.enum(DEPTHS).optional(),
  turn: wholeNumber.optional(),
  last: wholeNumber.refine((count) => count > 0, 'is none').optional(),
})
export type PartQuery = z.output<typeof partQuerySchema>

/** In what form a session leaves; `vac` is the record of the IETF’s draft, `raw` its files as they lie. */
export const EXPORT_FORMATS = ['markdown', 'html', 'json', 'jsonl', 'csv', 'vac', 'raw'] as const
/** One of them. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What is redacted unless somebody says otherwise: not what other programs read on. */
export function isRedactedByDefault(format: ExportFormat): boolean {
  return format !== 'json' && format !== 'jsonl' && format !== 'raw'
}

/** How a session leaves. `keep`: ids of changes and their kinds that a reviewer switched off, with commas between; `tz`: whose clocks the document and Markdown show. */
export const exportQuerySchema = z.object({
  format: z.enum(EXPORT_FORMATS).default('markdown'),
  depth: z.enum(DEPTHS).default('all'),
  redact: z.enum(['on', 'off']).optional(),
  keep: z.string().max(6000).optional(),
  tz: zoneField.optional(),
})
export type ExportQuery = z.output<typeof exportQuerySchema>

/** Of which export the changes are listed. */
export const exportReviewQuerySchema = exportQuerySchema.omit({ redact: true, keep: true, tz: true })
export type ExportReviewQuery = z.output<typeof exportReviewQuerySchema>

const changeExampleSchema = z.object({
  /** To be named in `keep`. */
  id: z.string(),
  /** What it is, in words: "GitHub token". */
  name: z.string(),
  /** What stands there, and what is put in its place. */
  value: z.string(),
  replacement: z.string(),
  /** Up to 40 characters on both sides of the first place. */
  before: z.string(),
  after: z.string(),
  /** The message of the first place; null: title or place of the session. */
  messageKey: z.string().nullable(),
  /** So often this very text is replaced. */
  count: z.number(),
})
/** One text that is replaced, with its surroundings. */
export type ChangeExample = z.infer<typeof changeExampleSchema>

/** What is taken out of a session before it leaves. `leftOut`: what could not be examined, or leaves by its name only. */
export const exportReviewSchema = answer({
  changes: z.array(
    z.object({
      kind: z.enum(['secret', 'home', 'user', 'host', 'email']),
      count: z.number(),
      /** Each text that is replaced, once; at most 500 of a kind. */
      examples: z.array(changeExampleSchema),
    }),
  ),
  leftOut: z.array(z.object({ what: z.string(), count: z.number() })),
})
export type ExportReview = z.infer<typeof exportReviewSchema>

/** What `export --json` prints: what was written. `sessionKey`: null where one file holds several sessions. */
export const exportedFilesSchema = answer({
  files: z.array(z.object({ sessionKey: z.string().nullable(), path: z.string(), sizeBytes: z.number() })),
})
