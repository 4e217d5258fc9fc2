import { z } from 'zod'

/**
 * What became of a failed call, by the later runs of the same command in the same folder, or of the same tool on the same
 * file or query.
 */
export type FailureFate = z.infer<typeof failureFateSchema>
export const failureFateSchema = z.enum(['laterSucceeded', 'stillFailing', 'neverRerun'])

const runPlaceSchema = z.strictObject({ messageKey: z.string(), timestamp: z.string().nullable() })

/** The fate of one failed call, with the runs that say so. */
export type CallFate = z.infer<typeof callFateSchema>
export const callFateSchema = z.strictObject({
  kind: failureFateSchema,
  /** The last run before it that succeeded; null: none did. */
  worked: runPlaceSchema.nullable(),
  /** The first run after it that succeeded; null unless `kind` is `laterSucceeded`. */
  succeeded: runPlaceSchema.nullable(),
})

/** How many failed calls have which fate. Calls that were rewound or replaced have none. */
export type FateCounts = z.infer<typeof fateCountsSchema>
export const fateCountsSchema = z.strictObject({
  laterSucceeded: z.number(),
  stillFailing: z.number(),
  neverRerun: z.number(),
})
