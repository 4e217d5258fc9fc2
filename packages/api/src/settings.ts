import { z } from 'zod'
import { answer } from './fields.ts'

const rateSchema = z.number().min(0).max(1_000_000)

/** US dollars per million tokens. */
const ownPriceSchema = z.strictObject({
  inputPerMillion: rateSchema,
  /** null: cached tokens cost as much as fresh ones. */
  cachedPerMillion: rateSchema.nullable(),
  outputPerMillion: rateSchema,
})

/** What the program stores on this computer and what the user chose, except for settings of a browser. */
export const settingsSchema = answer({
  /** Stored data that cannot be rebuilt; null: nothing is stored, as with `--no-cache`. */
  data: z
    .strictObject({
      path: z.string(),
      parts: z.array(
        z.strictObject({
          name: z.string(),
          /** Its contents, for display; null: unknown to this version. */
          what: z.string().nullable(),
          sizeBytes: z.number(),
        }),
      ),
    })
    .nullable(),
  /** Data derived from session files; null: it is in memory. */
  cache: z
    .strictObject({
      /** The folder with all indexes. */
      path: z.string(),
      /** Size of the part for the shown Gemini folders. */
      sizeBytes: z.number(),
      /** Indexes of other Gemini folders. */
      others: z.strictObject({ count: z.number(), sizeBytes: z.number() }),
    })
    .nullable(),
  /** Whether a browser can sign in only by a one-time URL; false: no sign-in is required, as with `--no-token`. */
  signIn: z.boolean(),
  /** Number of signed-in browsers; null: no sign-in is required. */
  browsers: z.number().nullable(),
  homes: z.array(
    z.strictObject({
      path: z.string(),
      exists: z.boolean(),
      label: z.string(),
      /** Set by the user; null: the label is the end of its path. */
      ownLabel: z.string().nullable(),
    }),
  ),
  prices: z.strictObject({
    list: z.strictObject({ name: z.string(), version: z.string(), date: z.string() }),
    /** Current list prices of the models used by the sessions, in US dollars per million tokens. */
    used: z.array(
      z.strictObject({
        model: z.string(),
        inputPerMillion: z.number().nullable(),
        cachedPerMillion: z.number().nullable(),
        outputPerMillion: z.number().nullable(),
        /** Input tokens above which a request has a higher rate, for all its tokens; null: one rate for all. */
        higherAbove: z.number().nullable(),
      }),
    ),
    /** The user's `prices.json`; null: nothing is stored. */
    file: z.string().nullable(),
    /** Why it is not used; null: it is, or there is none. */
    problem: z.string().nullable(),
    plan: z.enum(['list-price', 'nothing']),
    models: z.array(
      ownPriceSchema.extend({
        name: z.string(),
        /** It has more than three rates, which can only be changed in the file: tiers, or a start day. */
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

/** Fields that are left out are unchanged. */
export const settingsChangeSchema = z.strictObject({
  /** Signs out every browser, including the current one. */
  signOutBrowsers: z.literal(true).optional(),
  /** null resets a label. */
  homes: z
    .array(z.strictObject({ path: z.string(), label: labelSchema.nullable() }))
    .max(200)
    .optional(),
  plan: z.enum(['list-price', 'nothing']).optional(),
  /** `price` null resets it. */
  price: z
    .strictObject({
      model: z
        .string()
        .trim()
        .min(1, 'A price belongs to a model.')
        .max(200)
        // the price file cannot represent it: JSON readers treat it specially
        .refine((name) => name !== '__proto__', 'No model can be called __proto__.'),
      price: ownPriceSchema.nullable(),
    })
    .optional(),
})
export type SettingsChange = z.infer<typeof settingsChangeSchema>

/** Which caches to clear. */
export const cacheClearSchema = z.strictObject({
  /** `shown`: only the parts for the shown Gemini folders. */
  of: z.enum(['shown', 'all']).default('all'),
})

/** What was deleted from the cache. What is shown is read again. */
export const cacheClearedSchema = answer({
  freedBytes: z.number(),
  /** Deleted indexes of other Gemini folders. */
  indexes: z.number(),
  /** Indexes in use by another gemini-dash. */
  inUse: z.number(),
  /** Files there that are not ours, and are not deleted. */
  left: z.array(z.string()),
})
export type CacheCleared = z.infer<typeof cacheClearedSchema>

/** URL of the sample sessions; a code in it signs the browser in. */
export const sampleAddressSchema = answer({ url: z.string() })
export type SampleAddress = z.infer<typeof sampleAddressSchema>

/** Query sent with the bytes of a session file to open. */
export const openFileQuerySchema = z.strictObject({
  name: z.string().min(1).max(255),
  /** When the file was last changed, in ms since 1970. */
  modified: z.coerce.number().optional(),
})

/** URL of the opened files; a code in it signs the browser in. After closing them: where the reader came from. */
export const openedAddressSchema = answer({ url: z.string() })
export type OpenedAddress = z.infer<typeof openedAddressSchema>

/** Result of copying opened files to the archive. */
export const openedAddedSchema = answer({
  /** Files added. */
  added: z.number(),
  /** Files whose content was already in the archive. */
  known: z.number(),
  /** Files of sessions that are already in the history. */
  inHistory: z.number(),
  /** Files of sessions that were deleted from gemini-dash. */
  forgotten: z.number(),
  /** The result in sentences. */
  text: z.string(),
})
export type OpenedAdded = z.infer<typeof openedAddedSchema>

/** State of the program, in words that name no path, project, person or session. */
export const healthReportSchema = answer({ text: z.string() })
export type HealthReport = z.infer<typeof healthReportSchema>

/** Why a request failed, each with its HTTP status. */
export const apiErrorCodeSchema = z.enum([
  'bad-request', // 400: a parameter is invalid
  'forbidden', // 403: no session cookie
  'foreign', // 403: the Host or Origin is not the program's own
  'not-found', // 404: no such route, session, message or output
  'method-not-allowed', // 405
  'ambiguous', // 409: a sessionId that several sessions share; `keys` lists them
  'gone', // 410: the file was deleted while it was open
  'too-large', // 413
  'unsupported-media-type', // 415
  'too-many-requests', // 429
  'internal', // 500
  'unavailable', // 503
  'reader-stopped', // 503: the thread that reads sessions ended meanwhile
  'reader-timeout', // 504: it hung and was ended
  'reader-unsendable', // 500: its result could not be transferred
])
export type ApiErrorCode = z.infer<typeof apiErrorCodeSchema>

/** The envelope of every failed answer. */
export const apiErrorSchema = z.strictObject({
  error: z.strictObject({
    code: apiErrorCodeSchema,
    message: z.string(),
    /** For `ambiguous`: the keys of the candidate sessions. */
    keys: z.array(z.string()).optional(),
  }),
})
export type ApiError = z.infer<typeof apiErrorSchema>
