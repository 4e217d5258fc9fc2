import { z } from 'zod'
import { answer } from './fields.ts'

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
  /** How many browsers are signed in; null: nobody has to. */
  browsers: z.number().nullable(),
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
    /** Of the models that the sessions used: what the list says of each today, in US dollars for a million tokens. */
    used: z.array(
      z.strictObject({
        model: z.string(),
        inputPerMillion: z.number().nullable(),
        cachedPerMillion: z.number().nullable(),
        outputPerMillion: z.number().nullable(),
        /** Larger requests cost more, from the first token above so many; null: all cost the same. */
        higherAbove: z.number().nullable(),
      }),
    ),
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
  /** Signs every browser out, also the one that asks. */
  signOutBrowsers: z.literal(true).optional(),
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

/** What a browser says beside the bytes of a session file that is to be opened. */
export const openFileQuerySchema = z.strictObject({
  name: z.string().min(1).max(255),
  /** When the file was last changed, in ms since 1970. */
  modified: z.coerce.number().optional(),
})

/** Where opened files are shown; a code in it signs the browser in. When they are closed: where the reader came from. */
export const openedAddressSchema = answer({ url: z.string() })
export type OpenedAddress = z.infer<typeof openedAddressSchema>

/** What became of opened files of which a copy was to be added to the archive. */
export const openedAddedSchema = answer({
  /** Files that were taken in. */
  added: z.number(),
  /** Files whose content the archive had before. */
  known: z.number(),
  /** Files of sessions that are in the history anyway. */
  inHistory: z.number(),
  /** Files of sessions that were deleted from gemini-dash. */
  forgotten: z.number(),
  /** All of it in sentences. */
  text: z.string(),
})
export type OpenedAdded = z.infer<typeof openedAddedSchema>

/** How it stands, in words that name no path, project, person or session. */
export const healthReportSchema = answer({ text: z.string() })
export type HealthReport = z.infer<typeof healthReportSchema>

/** Why a request failed, each with its status. */
export const apiErrorCodeSchema = z.enum([
  'bad-request', // 400: a parameter is not of its form
  'forbidden', // 403: no session cookie
  'foreign', // 403: a Host or Origin that is not the program's own
  'not-found', // 404: no such route, session, message or output
  'method-not-allowed', // 405
  'ambiguous', // 409: a sessionId that several sessions share; `keys` lists them
  'gone', // 410: the file was deleted while it was open
  'too-large', // 413
  'unsupported-media-type', // 415
  'too-many-requests', // 429
  'internal', // 500
  'unavailable', // 503
  'reader-stopped', // 503: the thread that reads sessions ended on the way
  'reader-timeout', // 504: it hung, and was ended
  'reader-unsendable', // 500: what it made could not be handed on
])
export type ApiErrorCode = z.infer<typeof apiErrorCodeSchema>

/** The one envelope of every failed answer. */
export const apiErrorSchema = z.strictObject({
  error: z.strictObject({
    code: apiErrorCodeSchema,
    message: z.string(),
    /** With `ambiguous`: the keys of the sessions that could be meant. */
    keys: z.array(z.string()).optional(),
  }),
})
export type ApiError = z.infer<typeof apiErrorSchema>

/** What changed, by name: who shows it asks again. */
export const liveEventSchema = z.strictObject({
  /**
   * changed, removed: a session; marked: a person said something of it, and nothing else changed; index: progress or completion
   * of the index; projects: a project came or went, or is called differently; warnings: of the program, in `health` and `doctor`;
   * keep: a look of the archive went on or ended, or it was turned on or off.
   */
  kind: z.enum(['changed', 'removed', 'marked', 'index', 'projects', 'warnings', 'keep']),
  /** With `changed`, `removed` and `marked`. */
  sessionKey: z.string().optional(),
  projectKey: z.string().optional(),
})
export type LiveEvent = z.infer<typeof liveEventSchema>

/** Begins each stream, as an event named `hello`. */
export const streamHelloSchema = z.strictObject({
  kind: z.literal('hello'),
  /** The number of the last change; events go on from here. */
  at: z.number(),
  /** The script that the page of this server begins with: a page with another one is of another build. */
  page: z.string().nullable(),
})
export type StreamHello = z.infer<typeof streamHelloSchema>

/** What came of forgetting a session with its sub-agents. */
export type ForgetAnswer = z.infer<typeof forgetAnswerSchema>
export const forgetAnswerSchema = answer({
  /** Ids that are never kept again. */
  sessions: z.number(),
  /** Files of which the archive held something. */
  erased: z.number(),
  /** Absolute paths of its files in a home: they are left alone, shown as all that is there, and never kept again. */
  stillThere: z.array(z.string()),
})

/** What `testbed` wrote. */
export type TestbedAnswer = z.infer<typeof testbedAnswerSchema>
export const testbedAnswerSchema = answer({
  /** Absolute path of the Gemini home. */
  home: z.string(),
  /** Of Gemini CLI. */
  cliVersion: z.string(),
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      /** The folder in which the CLI is started to see it. */
      project: z.string(),
      /** Its form: `minimal`, `full`, `twins`, … */
      what: z.string(),
      /** Files in which nobody spoke, as a resume leaves them, relative to the home. */
      stubs: z.array(z.string()),
    }),
  ),
  /** Every file, by its absolute path. */
  writes: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
})

const limitsSchema = z.strictObject({
  /** What the archive may hold, compressed; null: as much as the disk does. */
  maxBytes: z.number().nullable(),
  /** What was last written longer ago is not taken in; null: however old. */
  maxAgeDays: z.number().nullable(),
})
/** How much the archive may hold, and of what age. */
export type KeepLimits = z.infer<typeof limitsSchema>

/** A version of a file. `path` is relative to its home. */
const keptVersionSchema = z.strictObject({
  home: z.string(),
  path: z.string(),
  /** When the archive saw this version first. */
  firstSeen: z.string(),
  /** Of which session it is; null: of none, or of several. */
  sessionId: z.string().nullable(),
})

/** The archive of what Gemini CLI deletes: what it holds, and how it stands. */
export const keepStatusSchema = answer({
  /** Whether what changes in these homes is kept. */
  enabled: z.boolean(),
  /** Main sessions that the archive holds a file of. */
  sessions: z.number(),
  /** Of these, what is in no home any more, as a whole or in part. */
  onlyHere: z.number(),
  files: z.number(),
  /** Of all versions of all files, as they were read. */
  rawBytes: z.number(),
  /** What they take on disk, `goneBytes` included. */
  storedBytes: z.number(),
  /** Of that, what is not in its home any more, laid out uncompressed to be read. */
  goneBytes: z.number(),
  /** When all files were looked at last. */
  lastRun: z.string().nullable(),
  /** Versions of files that cannot be given back as they were, because what was stored of them is damaged. */
  damaged: z.number(),
  damagedFiles: z.array(keptVersionSchema),
  /** The archive is damaged, and was not repaired; null: it is whole, or what could be saved is. */
  damage: z
    .strictObject({
      /** Sessions of which something cannot be given back. */
      affected: z.number(),
      /** That the archive holds, or held. */
      sessions: z.number(),
      /** Files beside sessions that cannot be given back, and are of no session that is known. */
      otherFiles: z.number(),
      /** The first files of the archive that are not what was written, and how, in words. */
      places: z.array(z.string()),
      /** All that in a sentence. */
      message: z.string(),
      /** What to do. */
      advice: z.string(),
    })
    .nullable(),
  /** What `keep repair` could not bring back; null: nothing. */
  lost: z.strictObject({ sessions: z.number(), files: z.number() }).nullable(),
  lostFiles: z.array(keptVersionSchema),
  limits: limitsSchema,
  /** What the last run could not keep, and why, in a sentence; null: it kept everything. */
  problem: z.string().nullable(),
  /** Of what kind that is: the archive holds as much as it may, the disk is full, or else. */
  hindrance: z.enum(['limit', 'no-room', 'other']).nullable(),
  /** How far the look is that goes on in this process. `waiting`: another process has the archive; null: none goes on. */
  running: z.strictObject({ waiting: z.boolean(), done: z.number(), total: z.number() }).nullable(),
  /** `kept`: what changes in it is kept. One that is not there just now has lost nothing. */
  homes: z.array(z.strictObject({ path: z.string(), exists: z.boolean(), kept: z.boolean() })),
  /** Where the archive is; null: nothing can be kept, as with `--no-cache`. */
  folder: z.string().nullable(),
})
export type KeepStatus = z.infer<typeof keepStatusSchema>

/** What is left out stays as it is. */
export const keepChangeSchema = z.strictObject({
  enabled: z.boolean().optional(),
  /** All that is kept of these homes is gone for good, and they are not kept any more. */
  erase: z.literal(true).optional(),
  limits: z
    .strictObject({
      maxBytes: z.number().int().positive('is not more than 0').nullable().optional(),
      maxAgeDays: z.number().positive('is not more than 0').nullable().optional(),
    })
    .optional(),
})
export type KeepChange = z.infer<typeof keepChangeSchema>
