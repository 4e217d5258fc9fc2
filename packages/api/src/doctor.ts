import { parseIssueCodeSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer, unreadSchema } from './fields.ts'

/**
 * Something that the program works without, and that the user may want to fix. Answers are complete nevertheless, or say that they are not.
 */
export const warningSchema = z.strictObject({
  /**
   * cache-not-kept: the index is in memory; keys-not-recorded: links to copied sessions may change; data-not-kept: stars, notes, tags and
   * settings cannot be saved; data-damaged: a file of the data folder was damaged or changed; kept-not-shown: sessions that exist only in
   * the archive are missing; watch-limit: changes are noticed later; files-unread; worker-restarted: a thread ended; connections-full:
   * connections were refused within the last minute; server-restarted: the server thread hung and was replaced. archive-damaged: something
   * in the archive cannot be restored.
   */
  code: z.enum([
    'cache-not-kept',
    'keys-not-recorded',
    'data-not-kept',
    'data-damaged',
    'kept-not-shown',
    'watch-limit',
    'files-unread',
    'worker-restarted',
    'connections-full',
    'server-restarted',
    'archive-damaged',
  ]),
  message: z.string(),
  /** What to do; null if nothing. */
  advice: z.string().nullable(),
})
export type Warning = z.infer<typeof warningSchema>

/** A container that Gemini CLI is configured to run in: since 0.60 its sessions are discarded with it. */
const sandboxSchema = z.strictObject({
  /** The program that starts the container. */
  command: z.enum(['docker', 'podman', 'runsc']),
  /** Where it is configured: the path of a settings file, or `GEMINI_SANDBOX`. */
  source: z.string(),
  /** What it means, and what to do. */
  text: z.string(),
  advice: z.string(),
})
export type Sandbox = z.infer<typeof sandboxSchema>

/** Disk usage of Gemini folders, from names and stat alone. gemini-dash deletes nothing there. */
export const diskUseSchema = z.strictObject({
  sizeBytes: z.number(),
  files: z.number(),
  /** false: there is more than was counted, because a folder could not be listed or contains too many files. */
  isComplete: z.boolean(),
  /** Shares of `sizeBytes`: sessions with their sub-agents, saved tool outputs, and the rest. */
  sessionBytes: z.number(),
  outputBytes: z.number(),
  otherBytes: z.number(),
})
export type DiskUse = z.infer<typeof diskUseSchema>

/** The version of Gemini CLI that this program supports, and the installed one. */
const cliSchema = z.strictObject({
  /** The newest version whose files and rules are supported. */
  known: z.string(),
  /** null: none was found, or the check was skipped, as for the samples. */
  installed: z
    .strictObject({
      version: z.string(),
      /** Its package folder. */
      path: z.string(),
    })
    .nullable(),
  /** The oldest version that can have written the newest file; null: any. */
  writtenBy: z.string().nullable(),
  /** The consequences, in sentences. */
  text: z.string(),
  /**
   * How a sentence about a deletion begins if the rules were not tested with the installed version: "By the rules of Gemini CLI 0.61".
   * null: they were.
   */
  byRules: z.string().nullable(),
})

/** Antigravity conversations in a Gemini folder, which are not read; left out if there are none. */
const antigravitySchema = z
  .strictObject({
    /** Names of the folders in the Gemini folder. */
    folders: z.array(z.string()),
    conversations: z.number(),
    /** The same as a sentence. */
    text: z.string(),
  })
  .optional()
export type Antigravity = NonNullable<z.infer<typeof antigravitySchema>>

const sessionLinkSchema = z.strictObject({ sessionKey: z.string(), title: z.string() })

/** What was found, what was not read and why, what is unknown to us, and what the CLI will delete soon. */
export const doctorSchema = answer({
  /** false: the files are still being read, and more may be found. */
  isComplete: z.boolean(),
  /** Everything read so far was understood; the command exits with 0. */
  isWell: z.boolean(),
  /** Problems of the program itself, not of the files. */
  warnings: z.array(warningSchema),
  homes: z.array(
    z.strictObject({
      path: z.string(),
      exists: z.boolean(),
      /** Session files found in it. */
      files: z.number(),
      /** Why nothing was found, in a sentence; null if something was. */
      note: z.string().nullable(),
      /** How many Antigravity CLI conversations were found, and how far they are understood, in a sentence; left out if none. */
      conversations: z.string().optional(),
      antigravity: antigravitySchema,
    }),
  ),
  files: z.strictObject({
    found: z.number(),
    /** Main sessions and sub-agents. */
    sessions: z.number(),
    /** Sessions that are shown except for some parts. */
    partlyRead: z.number(),
    skipped: z.array(
      z.strictObject({
        path: z.string(),
        reason: z.string(),
        advice: z.string(),
        /** false: the skipped file is no loss. */
        needsAttention: z.boolean(),
        /** The session listed for this file, if any. */
        sessionKey: z.string().nullable(),
      }),
    ),
  }),
  issues: z.array(
    z.strictObject({
      code: parseIssueCodeSchema,
      count: z.number(),
      reason: z.string(),
      advice: z.string(),
      /** `path` is relative to its Gemini folder. */
      example: z.strictObject({ path: z.string(), at: z.string() }),
      /** Sessions that were read except for this. */
      partlyRead: z.strictObject({ total: z.number(), first: z.array(sessionLinkSchema) }),
    }),
  ),
  /** Names that no known CLI version writes: format drift. Copies of a file are not counted again. */
  drift: z.array(
    z.strictObject({
      where: z.string(),
      name: z.string(),
      count: z.number(),
      /** File and position in it. */
      example: z.string(),
      /** What a name in this place means. */
      meaning: z.string(),
      sessions: z.number(),
      /** The session of the example. */
      sessionKey: z.string(),
    }),
  ),
  /** Files that only repeat the content of another file. */
  duplicates: z.number(),
  /** The first of them: the file, the session it repeats, and the file that the session is read from. */
  copies: z.array(
    sessionLinkSchema.extend({ path: z.string(), role: z.enum(['copy', 'twin']), repeats: z.string() }),
  ),
  /**
   * Files that look like copies, but have content that no other file of their session has: in how many messages, and the first of them. 0:
   * only metadata, such as the start time or the title.
   */
  onlyThere: z.array(
    sessionLinkSchema.extend({
      path: z.string(),
      messages: z.number(),
      firstKey: z.string().nullable(),
    }),
  ),
  /** Sessions that repeat requests of others: copies, forks and imports. This is not an error. */
  copiedSessions: z.array(
    z.strictObject({
      key: z.string(),
      title: z.string(),
      /** Key of the session that most of them are counted for. */
      from: z.string(),
      /** How many of its requests are counted for other sessions. */
      requests: z.int(),
    }),
  ),
  retention: z.strictObject({
    /** Whether Gemini CLI deletes sessions automatically: on by default since 0.33; also off if it rejects its settings. */
    enabled: z.boolean(),
    /** null: sessions of any age stay. */
    maxAgeDays: z.number().nullable(),
    /** How many sessions of a project are retained; null: all. */
    maxCount: z.number().nullable(),
    /** Invalid retention settings, and how Gemini CLI interprets them. */
    problems: z.array(
      z.strictObject({
        /** The settings file. */
        path: z.string(),
        setting: z.string(),
        /** Its value as JSON; null: the problem is not a single value. */
        value: z.string().nullable(),
        reason: z.string(),
        advice: z.string(),
      }),
    ),
    /** Within a week, the earliest first. count: enough newer sessions exist to reach the maximum count. */
    expiring: z.array(
      sessionLinkSchema.extend({ deletedAfter: z.string(), cause: z.enum(['age', 'count']) }),
    ),
    /** Sessions of any age that Gemini CLI deletes at its next start, because it considers one of their files unusable. */
    atRisk: z.array(sessionLinkSchema.extend({ path: z.string(), reason: z.string() })),
  }),
  /** What the archive can no longer restore, as found by `keep repair`, in a sentence; null: nothing. */
  lostInArchive: z.string().nullable(),
  /** Sessions without any conversation. */
  empty: z.strictObject({ total: z.number(), first: z.array(sessionLinkSchema) }),
  cli: cliSchema,
  /** Models without a price: the calls and tokens missing from sums of costs. The most tokens first. */
  unpriced: z.array(z.strictObject({ model: z.string().nullable(), calls: z.number(), tokens: z.number() })),
  /** Gemini folders whose Gemini CLI runs in a container, where its sessions are lost. */
  sandboxes: z.array(sandboxSchema),
  /** Projects whose path is unknown. */
  unclearProjects: z.array(
    z.strictObject({ key: z.string(), name: z.string(), folders: z.array(z.string()) }),
  ),
  cache: z.strictObject({ path: z.string().nullable(), sizeBytes: z.number() }),
  /** Disk usage of the Gemini folders. */
  disk: diskUseSchema,
  /** Files and folders that cannot be read at the moment; each is retried. */
  unread: unreadSchema.optional(),
})
export type Doctor = z.infer<typeof doctorSchema>

/** The part of the doctor's report that is shown beside a list of sessions: a thousandth of its size for thousands of sessions. */
export const doctorNotesSchema = answer({
  isComplete: z.boolean(),
  isWell: z.boolean(),
  /** Files that could not be read and whose content may be missed. */
  missedFiles: z.number(),
  /** Names that no known CLI version writes. */
  unknownNames: z.number(),
  /** Sessions that the CLI deletes within a week, or at its next start. */
  dueSessions: z.number(),
  /** Age in days at which Gemini CLI deletes; null: its settings set no age. */
  maxAgeDays: z.number().nullable(),
  /** Why the file behind a row could not be read. */
  reasons: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
})
export type DoctorNotes = z.infer<typeof doctorNotesSchema>

/** State of the program: its Gemini folders, index, prices and warnings. */
export const healthSchema = answer({
  version: z.string(),
  /** `Node.js 20.20.2 · Linux` */
  runtime: z.string(),
  homes: z.array(
    z.strictObject({
      path: z.string(),
      /** Its short name among others: as much of the end of its path as needed. */
      label: z.string(),
      exists: z.boolean(),
      /** Only for Gemini folders without sessions. */
      antigravity: antigravitySchema,
    }),
  ),
  /** `building` until every file was read once. `filesDone`: files read so far. */
  index: z.strictObject({
    state: z.enum(['building', 'ready']),
    filesDone: z.number(),
    filesTotal: z.number(),
  }),
  cli: cliSchema,
  /** Gemini folders whose Gemini CLI runs in a container, where its sessions are lost. */
  sandboxes: z.array(sandboxSchema),
  /** true when `--demo` serves the sample Gemini folder. */
  demo: z.boolean(),
  /** Files that were opened instead of a Gemini folder; they are in no history. Left out: a Gemini folder is shown. */
  opened: z
    .strictObject({
      /** Names of the files. */
      files: z.array(z.string()),
      /** They were opened in the browser, and can be closed there. */
      canClose: z.boolean(),
    })
    .optional(),
  /** For the sample Gemini folder, the day after its last record: the reference for ages, ranges and deletions. null: the current time. */
  now: z.string().nullable(),
  prices: z.strictObject({
    /** The price list in use, offline, and its date. */
    list: z.strictObject({ name: z.string(), version: z.string(), date: z.string() }),
    /** `nothing`: the user is on a plan, so no cost is known anywhere. */
    plan: z.enum(['list-price', 'nothing']),
    /** Why the user’s own `prices.json` is not used; null if it is, or if there is none. */
    problem: z.string().nullable(),
  }),
  warnings: z.array(warningSchema),
})
export type Health = z.infer<typeof healthSchema>
