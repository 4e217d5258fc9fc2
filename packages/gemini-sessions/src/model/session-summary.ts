import { z } from 'zod'
import { costSchema } from './cost.ts'
import { failureFateSchema, fateCountsSchema } from './failure-fate.ts'
import { tokenUsageSchema } from './token-usage.ts'

/** A conversation of its own, one that another session started, a chat saved by tag, or prompts known from `logs.json` only. */
export type SessionKind = z.infer<typeof sessionKindSchema>
export const sessionKindSchema = z.enum(['main', 'subagent', 'checkpoint', 'prompts-only'])

/** What became of a file that is shown from a copy that was kept. */
export type KeptCopy = z.infer<typeof keptCopySchema>
export const keptCopySchema = z.strictObject({
  /** deleted: it is missing in its home; overwritten: it holds less there, or something else. */
  cause: z.enum(['deleted', 'overwritten']),
  /** When it was last seen as it is shown here, ISO 8601 UTC. */
  lastSeen: z.string(),
  /** When the change was noticed, ISO 8601 UTC. */
  missed: z.string(),
})

/** One file of a session, and its role in it. */
export type SessionFile = z.infer<typeof sessionFileSchema>
export const sessionFileSchema = z.strictObject({
  /** Absolute path of the home, `/` on every system. */
  home: z.string(),
  /** Relative to that home. */
  path: z.string(),
  sizeBytes: z.number(),
  format: z.enum(['json', 'jsonl']),
  role: z.enum(['current', 'twin', 'copy', 'stub', 'segment', 'damaged']),
  /** The time in the file by which Gemini CLI judges its age, ISO 8601 UTC; null: there is none. Left out until it is read. */
  lastUpdated: z.string().nullable().optional(),
  /** Whether Gemini CLI can resume it; it deletes what it cannot. Left out until the file is read. */
  resumable: z.boolean().optional(),
  /** Left out of a file that is in its home. */
  kept: keptCopySchema.optional(),
})

/** All but `messages` and `superseded` count what the CLI holds now (buried: what it held last). */
export type SessionCounts = z.infer<typeof sessionCountsSchema>
export const sessionCountsSchema = z.strictObject({
  messages: z.number(),
  prompts: z.number(),
  answers: z.number(),
  thoughts: z.number(),
  toolCalls: z.number(),
  toolErrors: z.number(),
  notices: z.number(),
  superseded: z.number(),
})

/** How much failed, by kind. */
export type SessionFailures = z.infer<typeof sessionFailuresSchema>
export const sessionFailuresSchema = z.strictObject({
  tools: z.number(),
  refused: z.number(),
  unanswered: z.number(),
})

/** Figures of everything that a session ever recorded; null until it is read. */
export type SessionFigures = z.infer<typeof sessionFiguresSchema>
export const sessionFiguresSchema = z.strictObject({
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  toolCalls: z.number().nullable(),
  /** Failed tool calls are `tools`; requests that the API refused are none of them. */
  failures: sessionFailuresSchema.nullable(),
})

/** Star, note, tags and title that a person gave a session; they come from a program that keeps them, never from its files. */
const rowMarkSchema = z.strictObject({
  star: z.boolean(),
  note: z.string(),
  tags: z.array(z.string()),
  /** Stands in the row's `title`, too. */
  title: z.string().nullable(),
  /** Time of the newest message that was seen; null: none. */
  seen: z.string().nullable(),
  /** How many single messages have a star, and a note. */
  messages: z.strictObject({ starred: z.number(), noted: z.number() }),
})

/** What a list row needs. Counts, usage, cost and models are null until `indexed` is `full`. */
export type SessionSummary = z.infer<typeof sessionSummarySchema>
export const sessionSummarySchema = z.strictObject({
  key: z.string(),
  sessionId: z.string(),
  kind: sessionKindSchema,
  parentKey: z.string().nullable(),
  subagentKeys: z.array(z.string()),
  /** Other sessions of the same CLI run: same id, but a conversation of their own. */
  sameRunKeys: z.array(z.string()),
  project: z.strictObject({ key: z.string(), name: z.string(), path: z.string().nullable() }),
  title: z.string(),
  /** `file`: nothing in it could be read, so this is the name of its file. */
  titleSource: z.enum(['user', 'summary', 'topic', 'prompt', 'file', 'none']),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  lastUpdated: z.string().nullable(),
  /** When the clean-up of Gemini CLI deletes it; in the past: at its next start. null: its settings keep it, or nobody asked. */
  deletedAfter: z.string().nullable(),
  /** null: there is none. */
  mark: rowMarkSchema.nullable(),
  /** When it was last seen in a home, if only the archive holds it now; null: it is there. */
  deletedSeen: z.string().nullable(),
  /** Whose clean-up deleted it, as far as its rules tell. null: not known, or it is there. */
  deletedBy: z.enum(['gemini-cli']).nullable(),
  /**
   * The session that this one was copied, forked or imported from, and how many of its requests count there; null: all of its
   * requests count here.
   */
  copiedFrom: z.strictObject({ sessionKey: z.string(), requests: z.int() }).nullable(),
  indexed: z.enum(['name', 'head', 'full']),
  /** The CLI's final state is empty, the log is not: drawn from the last state that held a conversation. */
  buried: z.boolean(),
  /** Nothing was ever said in it: its files have context that Gemini CLI adds by itself, metadata and notices alone. false until it is read. */
  empty: z.boolean(),
  live: z.boolean(),
  ended: z.enum(['stopped', 'error']).nullable(),
  /** How it ended, in a sentence, and the message that shows it; null until `indexed` is `full`. */
  outcome: z
    .strictObject({
      /** error: the last request was refused, or the last run of a command failed. */
      kind: z.enum(['finished', 'live', 'stopped', 'error', 'unanswered', 'empty']),
      /** Of the commands that `text` tells of. Left out of every other outcome. */
      fate: failureFateSchema.exclude(['laterSucceeded']).optional(),
      text: z.string(),
      messageKey: z.string().nullable(),
    })
    .nullable(),
  /**
   * What failed, ever recorded: calls of tools, requests that the API refused, and prompts that neither were refused nor
   * answered nor taken back. null until `indexed` is `full`.
   */
  failures: sessionFailuresSchema.nullable(),
  /** Of the failed calls in `failures.tools`: what became of them. null until `indexed` is `full`. */
  fates: fateCountsSchema.nullable(),
  issues: z.number(),
  firstPrompt: z.string().nullable(),
  /** At most 28 points over the model calls. */
  trace: z.array(
    z.strictObject({
      tokens: z.number(),
      failed: z.boolean(),
      /** Model calls behind this point, and those of them that led to a failed tool. */
      calls: z.number(),
      failures: z.number(),
    }),
  ),
  models: z.array(z.strictObject({ name: z.string(), calls: z.number() })).nullable(),
  counts: sessionCountsSchema.nullable(),
  /** Of everything ever recorded, as in `usage` and `failures`; `counts` has what the CLI still holds. */
  recorded: z.strictObject({ turns: z.number(), toolCalls: z.number() }).nullable(),
  /** Spent: superseded calls count, revisions and copies never twice. Without sub-agents. */
  usage: tokenUsageSchema.nullable(),
  /** The same over the live messages. */
  liveUsage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  /**
   * The session and every sub-agent below it: what pages and texts show. `usage`, `cost`, `recorded` and `failures` are its
   * own share.
   */
  withSubagents: sessionFiguresSchema,
  files: z.array(sessionFileSchema),
  /** Files of it that the system does not let us read just now; they are tried again. Left out where there are none. */
  unread: z
    .strictObject({
      files: z.number(),
      /** The system's code of the first of them: `EACCES`, `EIO`, `EMFILE`, ... */
      code: z.string(),
      /** Everything else in this row is as of this time; null: nothing was known before. */
      asOf: z.string().nullable(),
    })
    .optional(),
})
