import { parseIssueCodeSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer, unreadSchema } from '../fields/answer.ts'
import { antigravitySchema } from './antigravity.ts'
import { cliSchema } from './cli.ts'
import { diskUseSchema } from './disk-use.ts'
import { sandboxSchema } from './sandbox.ts'
import { warningSchema } from './warning.ts'

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
  /** The first of them: which file, and which session it repeats. */
  copies: z.array(sessionLinkSchema.extend({ path: z.string(), role: z.enum(['copy', 'twin']) })),
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
