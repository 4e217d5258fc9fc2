import { z } from 'zod'
import { answer } from '../fields/answer.ts'

const rateSchema = z.number().min(0).max(1_000_000)

/** US dollars for a million tokens. */
const ownPriceSchema = z.strictObject({
  inputPerMillion: rateSchema,
  /** null: cached tokens cost as much as fresh ones. */
  cachedPerMillion: rateSchema.nullable(),
  outputPerMillion: rateSchema,
})

/** What the program keeps on this computer and what the user chose, as far as it is no matter of one browser. */
export const settingsSchema = answer({
  /** What is kept beside the homes, and cannot be made again; null: nothing is kept, as with `--no-cache`. */
  data: z
    .strictObject({
      path: z.string(),
      parts: z.array(
        z.strictObject({
          name: z.string(),
          /** What it holds, in words; null: nothing that this version knows. */
          what: z.string().nullable(),
          sizeBytes: z.number(),
        }),
      ),
    })
    .nullable(),
  /** What was made of session files; null: it is in memory. */
  cache: z
    .strictObject({
      /** The folder that all indexes lie in. */
      path: z.string(),
      /** Of what belongs to the homes that are shown. */
      sizeBytes: z.number(),
      /** Indexes of other homes. */
      others: z.strictObject({ count: z.number(), sizeBytes: z.number() }),
    })
    .nullable(),
  /** Whether a browser is let in by a one-time address alone; false: nobody has to sign in, as with `--no-token`. */
  signIn: z.boolean(),
  homes: z.array(
    z.strictObject({
      path: z.string(),
      exists: z.boolean(),
      label: z.string(),
      /** That the user gave it; null: the label is the end of its path. */
      ownLabel: z.string().nullable(),
    }),
  ),
  prices: z.strictObject({
    list: z.strictObject({ name: z.string(), version: z.string(), date: z.string() }),
    /** The user's `prices.json`; null: nothing is kept. */
    file: z.string().nullable(),
    /** Why it is not used; null: it is, or there is none. */
    problem: z.string().nullable(),
    plan: z.enum(['list-price', 'nothing']),
    models: z.array(
      ownPriceSchema.extend({
        name: z.string(),
        /** It says more than three rates, which only the file can change: tiers, or a day from which it holds. */
        saysMore: z.boolean(),
      }),
    ),
    /** Names that stand for other models. */
    aliases: z.array(z.strictObject({ name: z.string(), model: z.string() })),
  }),
})
export type Settings = z.infer<typeof settingsSchema>

const labelSchema = z
  .string()
  .trim()
  .min(1, 'A label has at least one character.')
  .max(60, 'A label has 60 characters at most.')
  .regex(/^[^\p{Cc}]+$/u, 'A label has no line breaks.')

/** What is left out stays as it is. */
export const settingsChangeSchema = z.strictObject({
  /** null takes a label back. */
  homes: z
    .array(z.strictObject({ path: z.string(), label: labelSchema.nullable() }))
    .max(200)
    .optional(),
  plan: z.enum(['list-price', 'nothing']).optional(),
  /** `price` null takes it back. */
  price: z
    .strictObject({
      model: z
        .string()
        .trim()
        .min(1, 'A price belongs to a model.')
        .max(200)
        // the file of prices could not say it: a reader of JSON takes it for something else
        .refine((name) => name !== '__proto__', 'No model can be called __proto__.'),
      price: ownPriceSchema.nullable(),
    })
    .optional(),
})
export type SettingsChange = z.infer<typeof settingsChangeSchema>

/** Which caches are to be cleared. */
export const cacheClearSchema = z.strictObject({
  /** `shown`: only what belongs to the homes that are shown. */
  of: z.enum(['shown', 'all']).default('all'),
})

/** What was deleted of the cache. What is shown is read anew. */
export const cacheClearedSchema = answer({
  freedBytes: z.number(),
  /** Indexes of other homes that are gone. */
  indexes: z.number(),
  /** That another gemini-dash uses just now. */
  inUse: z.number(),
  /** Files there that are none of ours, and stay. */
  left: z.array(z.string()),
})
export type CacheCleared = z.infer<typeof cacheClearedSchema>

/** Where the sample sessions are shown; a code in it signs the browser in. */
export const sampleAddressSchema = answer({ url: z.string() })
export type SampleAddress = z.infer<typeof sampleAddressSchema>

/** How it stands, in words that name no path, project, person or session. */
export const healthReportSchema = answer({ text: z.string() })
export type HealthReport = z.infer<typeof healthReportSchema>
