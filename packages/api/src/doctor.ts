import { parseIssueCodeSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer, unreadSchema } from './fields.ts'

/** Something that the program goes on without, and that a person may want to mend. Answers are whole all the same, or say that they are not. */
export const warningSchema = z.strictObject({
  /**
   * cache-not-kept: the index is in memory;
   * keys-not-recorded: links to copied sessions may change; data-not-kept: changes of what a person says are refused; data-damaged: a file of the data
   * folder was damaged or changed; kept-not-shown: sessions that only the archive has are missing; watch-limit: changes are seen later; files-unread; worker-restarted: a thread ended;
   * connections-full: connections were refused within the last minute; server-restarted: the thread that serves hung and was replaced. archive-damaged: something that was kept cannot be given back.
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
  /** What to do; null where there is nothing. */
  advice: z.string().nullable(),
})
export type Warning = z.infer<typeof warningSchema>

/** A container that Gemini CLI is set to run in: since 0.60 its sessions are thrown away with it. */
const sandboxSchema = z.strictObject({
  /** What starts the container. */
  command: z.enum(['docker', 'podman', 'runsc']),
  /** Where it is selected: the path of a settings file, or `GEMINI_SANDBOX`. */
  source: z.string(),
  /** What it means, and what to do. */
  text: z.string(),
  advice: z.string(),
})
export type Sandbox = z.infer<typeof sandboxSchema>

/** What lies in a home, by the folder that it lies in: `debug` are the CLI's own logs, which nobody here opens. */
export const DISK_KINDS = [
  'logs',
  'subagents',
  'outputs',
  'pictures',
  'plans',
  'restore-points',
  'debug',
  'other',
] as const
/** One of them. */
export type DiskKind = (typeof DISK_KINDS)[number]

const amountSchema = z.strictObject({ kind: z.enum(DISK_KINDS), sizeBytes: z.number(), files: z.number() })

/** What Gemini CLI's homes take on disk, by names and stat alone. gemini-dash deletes nothing there. */
export const diskUseSchema = z.strictObject({
  sizeBytes: z.number(),
  files: z.number(),
  /** false: there is more than is counted, because a folder could not be listed or holds too many files. */
  isComplete: z.boolean(),
  kinds: z.array(amountSchema),
  /** The largest first. */
  projects: z.array(
    z.strictObject({
      /** null: a folder beside those of projects, or of one that holds no session any more. */
      key: z.string().nullable(),
      name: z.string(),
      path: z.string().nullable(),
      /** There is no folder at `path` on this computer; null where that is not known. */
      isPathGone: z.boolean().nullable(),
      sizeBytes: z.number(),
      kinds: z.array(amountSchema),
    }),
  ),
  /** The largest saved outputs of tools, each with its session where its folder names one. */
  largest: z.array(
    z.strictObject({
      path: z.string(),
      sizeBytes: z.number(),
      sessionKey: z.string().nullable(),
      title: z.string().nullable(),
    }),
  ),
})
export type DiskUse = z.infer<typeof diskUseSchema>

/** The version of Gemini CLI that this program knows, and the one that is there. */
const cliSchema = z.strictObject({
  /** The newest version whose files and rules this program knows. */
  known: z.string(),
  /** null: none was found, or nobody looked, as for the samples. */
  installed: z
    .strictObject({
      version: z.string(),
      /** The folder of its package. */
      path: z.string(),
    })
    .nullable(),
  /** The oldest version that can have written the newest of the files; null: any. */
  writtenBy: z.string().nullable(),
  /** What follows from these, in sentences. */
  text: z.string(),
  /**
   * How a sentence about a deletion begins where the rules were not tried with the version that is installed:
   * "By the rules of Gemini CLI 0.61". null: they were.
   */
  byRules: z.string().nullable(),
})

/** Conversations of Antigravity that lie in a home and are not read; left out where there are none. */
const antigravitySchema = z
  .strictObject({
    /** Names of the folders in the home. */
    folders: z.array(z.string()),
    conversations: z.number(),
    /** The same in a sentence. */
    text: z.string(),
  })
  .optional()
export type Antigravity = NonNullable<z.infer<typeof antigravitySchema>>

const sessionLinkSchema = z.strictObject({ sessionKey: z.string(), title: z.string() })

/** What was found, what was not read and why, what is new to us, and what the CLI is about to delete. */
export const doctorSchema = answer({
  /** false: the files are still being read, and more may be found. */
  isComplete: z.boolean(),
  /** All that was read so far was understood; the command ends with 0. */
  isWell: z.boolean(),
  /** What the program itself goes on without; says nothing of the files. */
  warnings: z.array(warningSchema),
  homes: z.array(
    z.strictObject({
      path: z.string(),
      exists: z.boolean(),
      /** Session files found in it. */
      files: z.number(),
      /** Why nothing was found, in a sentence; null where something was. */
      note: z.string().nullable(),
      /** How many conversations of Antigravity CLI were found, and how far they are understood, in a sentence; left out: none. */
      conversations: z.string().optional(),
      antigravity: antigravitySchema,
    }),
  ),
  files: z.strictObject({
    found: z.number(),
    /** Main sessions and sub-agents. */
    sessions: z.number(),
    /** Sessions that are shown but for some places. */
    partlyRead: z.number(),
    skipped: z.array(
      z.strictObject({
        path: z.string(),
        reason: z.string(),
        advice: z.string(),
        /** false: nothing is missed by it. */
        needsAttention: z.boolean(),
        /** Its row, where it has one. */
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
      /** `path` is relative to its home. */
      example: z.strictObject({ path: z.string(), at: z.string() }),
      /** Sessions that could be read but for this. */
      partlyRead: z.strictObject({ total: z.number(), first: z.array(sessionLinkSchema) }),
    }),
  ),
  /** What no known CLI version writes: format drift. Copies of a file do not count again. */
  drift: z.array(
    z.strictObject({
      where: z.string(),
      name: z.string(),
      count: z.number(),
      /** File and place in it. */
      example: z.string(),
      /** What a name in this place is, in words. */
      meaning: z.string(),
      sessions: z.number(),
      /** The session of the example. */
      sessionKey: z.string(),
    }),
  ),
  /** Files that only repeat what another file holds. */
  duplicates: z.number(),
  /** The first of them: which file, which session it repeats, and the file that the session is read from. */
  copies: z.array(
    sessionLinkSchema.extend({ path: z.string(), role: z.enum(['copy', 'twin']), repeats: z.string() }),
  ),
  /** Files that look like copies, and hold what no other file of their session does: in how many messages, the first of them; 0: only when it began, its title or the like. */
  onlyThere: z.array(
    sessionLinkSchema.extend({
      path: z.string(),
      messages: z.number(),
      firstKey: z.string().nullable(),
    }),
  ),
  /** Sessions that repeat requests of others: copies, forks and imports. Nothing is wrong with them. */
  copiedSessions: z.array(
    z.strictObject({
      key: z.string(),
      title: z.string(),
      /** Key of the session that counts most of them. */
      from: z.string(),
      /** How many of its requests other sessions count. */
      requests: z.int(),
    }),
  ),
  retention: z.strictObject({
    /** Whether Gemini CLI deletes sessions by itself: on by default since 0.33; off too where it does not accept its settings. */
    enabled: z.boolean(),
    /** null: for no age. */
    maxAgeDays: z.number().nullable(),
    /** How many sessions of a project stay; null: all. */
    maxCount: z.number().nullable(),
    /** Settings of the clean-up that are not valid, and what Gemini CLI makes of them. */
    problems: z.array(
      z.strictObject({
        /** The settings file. */
        path: z.string(),
        setting: z.string(),
        /** What it is set to, as JSON; null: it is not one value that is wrong. */
        value: z.string().nullable(),
        reason: z.string(),
        advice: z.string(),
      }),
    ),
    /** Within a week, the next first. count: newer ones are as many as stay. */
    expiring: z.array(
      sessionLinkSchema.extend({ deletedAfter: z.string(), cause: z.enum(['age', 'count']) }),
    ),
    /** Sessions of any age that Gemini CLI deletes at its next start, because it takes a file of theirs for unusable. */
    atRisk: z.array(sessionLinkSchema.extend({ path: z.string(), reason: z.string() })),
  }),
  /** What was kept and cannot be given back any more, as `keep repair` found, in a sentence; null: nothing. */
  lostInArchive: z.string().nullable(),
  /** Sessions in which nothing was ever said. */
  empty: z.strictObject({ total: z.number(), first: z.array(sessionLinkSchema) }),
  cli: cliSchema,
  /** Models without a price: so many calls and tokens are missing in sums of costs. The most tokens first. */
  unpriced: z.array(z.strictObject({ model: z.string().nullable(), calls: z.number(), tokens: z.number() })),
  /** Homes whose Gemini CLI runs in a container, where it loses its sessions. */
  sandboxes: z.array(sandboxSchema),
  /** Projects whose path nobody knows. */
  unclearProjects: z.array(
    z.strictObject({ key: z.string(), name: z.string(), folders: z.array(z.string()) }),
  ),
  cache: z.strictObject({ path: z.string().nullable(), sizeBytes: z.number() }),
  /** What the homes take on disk. */
  disk: diskUseSchema,
  /** Files and folders that cannot be read just now; each is tried again. */
  unread: unreadSchema.optional(),
})
export type Doctor = z.infer<typeof doctorSchema>

/** Of the doctor what stands beside a list of sessions: a thousandth of it, in a home of thousands. */
export const doctorNotesSchema = answer({
  isComplete: z.boolean(),
  isWell: z.boolean(),
  /** Files that could not be read and that somebody may miss. */
  missedFiles: z.number(),
  /** Names that no known version of the CLI writes. */
  unknownNames: z.number(),
  /** Sessions that the CLI deletes within a week, or at its next start. */
  dueSessions: z.number(),
  /** Days after which Gemini CLI deletes; null: not by its settings. */
  maxAgeDays: z.number().nullable(),
  /** Why the file of a row could not be read. */
  reasons: z.array(z.strictObject({ path: z.string(), reason: z.string() })),
})
export type DoctorNotes = z.infer<typeof doctorNotesSchema>

/** How the program stands: its homes, its index, its prices, and what it goes on without. */
export const healthSchema = answer({
  version: z.string(),
  homes: z.array(
    z.strictObject({
      path: z.string(),
      /** How it is called beside others: the end of its path, as long as it has to be. */
      label: z.string(),
      exists: z.boolean(),
      /** Only of homes without sessions. */
      antigravity: antigravitySchema,
    }),
  ),
  /** `building` until every file was read once; files done by then. */
  index: z.strictObject({
    state: z.enum(['building', 'ready']),
    filesDone: z.number(),
    filesTotal: z.number(),
  }),
  cli: cliSchema,
  /** Homes whose Gemini CLI runs in a container, where it loses its sessions. */
  sandboxes: z.array(sandboxSchema),
  /** true when `--demo` serves the sample home. */
  demo: z.boolean(),
  /** What was opened in place of a Gemini folder, and is in no history. Left out: a Gemini folder is shown. */
  opened: z
    .strictObject({
      /** Names of the files. */
      files: z.array(z.string()),
      /** They were opened on the page, and can be closed there. */
      canClose: z.boolean(),
    })
    .optional(),
  /** Of the sample home the day after its last record: what ages, ranges and deletions are counted from. null: the time. */
  now: z.string().nullable(),
  prices: z.strictObject({
    /** The list that is used offline, and its day. */
    list: z.strictObject({ name: z.string(), version: z.string(), date: z.string() }),
    /** `nothing`: the user is on a plan, so no cost is known anywhere. */
    plan: z.enum(['list-price', 'nothing']),
    /** Why the user’s own `prices.json` is not used; null if it is, or if there is none. */
    problem: z.string().nullable(),
  }),
  warnings: z.array(warningSchema),
})
export type Health = z.infer<typeof healthSchema>
