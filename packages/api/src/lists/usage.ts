import {
  costSchema,
  fateCountsSchema,
  projectSchema,
  sessionFailuresSchema,
  tokenUsageSchema,
} from 'gemini-sessions'
import { z } from 'zod'
import { budgetReportSchema, reasonWordFields, shownAmountFields } from '../cost.ts'
import { answer, coverageSchema, timeField, unreadSchema, zoneField } from '../fields.ts'

/** The grouping of usage, and for which days and project. */
export const usageQuerySchema = z.object({
  by: z.enum(['day', 'week', 'month', 'hour-of-week', 'model', 'project', 'tool', 'session']).default('day'),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  project: z.string().max(4096).optional(),
  /** `by=day`, `week` and `month` only: breakdown in addition to models. */
  split: z.enum(['model', 'project']).optional(),
  /** `tokens`: most tokens first. By default, days, weeks, months and hours are in chronological order, all others by cost. */
  order: z.enum(['tokens']).optional(),
  /** Maximum number of rows; the total covers all of them. */
  limit: z.coerce.number().int().min(1).optional(),
  /** `csv`: the rows as a file; with `split`, one line per part of a day, week or month. */
  format: z.enum(['json', 'csv']).default('json'),
})
export type UsageQuery = z.infer<typeof usageQuerySchema>

const partFields = { usage: tokenUsageSchema, cost: costSchema, sessions: z.number() }

/** The usage of one day, week, month, model, project, tool or session. */
export const usageRowSchema = z.strictObject({
  /**
   * Day `YYYY-MM-DD`, week by its Monday in the same form, month `YYYY-MM`, hour of the week `1-00` (Monday) to `7-23`, model, project key,
   * tool name or session key (a sub-agent is in the row of its main session if that exists).
   */
  key: z.string(),
  /** The key for display. */
  label: z.string(),
  /** null for `by=tool`: the tokens of a request are not divided among its tools. */
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  /** Requests; `by=tool`: tool calls. */
  calls: z.number(),
  /** Main sessions; sub-agents are included in theirs. */
  sessions: z.number(),
  /** `by=session` only, for sessions with sub-agents: its own share of `usage` and `cost`. */
  own: z.strictObject({ usage: tokenUsageSchema, cost: costSchema }).optional(),
  /** `by=session` only: the name of its project. */
  project: z.string().optional(),
  /** `by=tool` only. */
  errors: z.number().optional(),
  /** `by=tool` only: estimated tokens of its outputs sent to the model, by length. */
  outputTokensEstimate: z.number().optional(),
  /** Time from answers to results: an upper bound, since starts are not recorded. Covers `timedCalls`, the calls with recorded times. */
  maxTimeMs: z.number().optional(),
  timedCalls: z.number().optional(),
  /** `by=day`, `week` and `month` only: the same period by model, largest first. Sessions with several models count for each. */
  models: z.array(z.strictObject({ name: z.string(), ...partFields })).optional(),
  /** `split=project` only: the same period by project, largest first. */
  projects: z.array(z.strictObject({ key: z.string(), name: z.string(), ...partFields })).optional(),
})
export type UsageRow = z.infer<typeof usageRowSchema>

/** Rows, and their sum: each token once. */
export const usageReportSchema = answer({
  rows: z.array(usageRowSchema),
  total: z.strictObject({
    usage: tokenUsageSchema,
    cost: costSchema,
    calls: z.number(),
    sessions: z.number(),
    /** Of the sessions whose failures count. */
    toolCalls: z.number(),
    /** Failures in these sessions and their sub-agents, as in a list of them; like tools, by the range of the main session. */
    failures: sessionFailuresSchema,
    /** What became of its failed tool calls. */
    fates: fateCountsSchema,
  }),
  /** In `usage --json` if a budget is set: the current month, whatever the range. */
  budgets: budgetReportSchema.optional(),
  coverage: coverageSchema,
  /** Of all files that could contribute to the answer. */
  unread: unreadSchema.optional(),
})
export type UsageReport = z.infer<typeof usageReportSchema>

/** Which sessions to explain. */
export const usageWhyQuerySchema = usageQuerySchema.pick({ from: true, to: true, tz: true, project: true })
export type UsageWhyQuery = z.infer<typeof usageWhyQuerySchema>

/** Every project of these Gemini folders, by latest activity. */
export const projectListSchema = answer({ projects: z.array(projectSchema), total: z.number() })
export type ProjectList = z.infer<typeof projectListSchema>

const MAX_NAME_LENGTH = 200
const MAX_PATH_LENGTH = 4096

/** Control characters, lone surrogates, line breaks, and bidirectional controls: a name with them could imitate another. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u
/** `/code`, `~/code`, `C:\code`, `\\host\share` */
const ABSOLUTE = /^(?:\/|~\/|[A-Za-z]:[\\/]|\\\\)/

const visibleText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1, 'is empty; send null to take it back')
    .max(maxLength, `is longer than ${maxLength} characters`)
    .refine((text) => !UNSEEN.test(text), 'holds characters that cannot be seen')

/** Changes to a project. A field that is left out is unchanged; null resets it. */
export const projectChangeSchema = z.strictObject({
  name: visibleText(MAX_NAME_LENGTH).nullish(),
  path: visibleText(MAX_PATH_LENGTH)
    .regex(ABSOLUTE, 'is not a whole path, such as /home/ada/code/shop')
    .nullish(),
})
export type ProjectChange = z.infer<typeof projectChangeSchema>

const lookedSchema = z.strictObject({
  /** Absolute paths of the folders that were searched. */
  places: z.array(z.string()),
  folders: z.number(),
  /** all: everything was searched; time, folders: a limit was reached; cancelled: the client left. */
  end: z.enum(['all', 'time', 'folders', 'cancelled']),
})

/** Where the folders of all projects with an unknown path were searched for, and how it ended. */
export const foldersSearchSchema = answer({
  /** Number of projects searched for, and of those whose folder was found. */
  wanted: z.number(),
  found: z.number(),
  looked: lookedSchema,
})
export type FoldersSearch = z.infer<typeof foldersSearchSchema>

/** Where a project's folder was searched for on this computer, and how it ended. */
export const folderSearchSchema = answer({
  project: projectSchema,
  /** null: none of the searched folders belongs to the project. */
  path: z.string().nullable(),
  looked: lookedSchema,
})
export type FolderSearch = z.infer<typeof folderSearchSchema>

/**
 * Why the sessions of a usage report cost what they did: the sessions or projects that make up 80 %, and what was paid for. Both add up to
 * the total.
 */
export const usageWhySchema = answer({
  /** null: no request has a known price. */
  total: z.number().nullable(),
  shown: z.string().nullable(),
  /** What the lines are; projects only if it would take more than eight sessions. */
  by: z.enum(['session', 'project']),
  /** The largest first, at most eight. */
  lines: z.array(
    z.strictObject({
      /** Of the session or project. */
      key: z.string(),
      name: z.string(),
      ...shownAmountFields,
      sessions: z.int(),
      ...reasonWordFields,
    }),
  ),
  /** All other sessions; null if none. */
  other: z
    .strictObject({
      ...shownAmountFields,
      sessions: z.int(),
      /** Cost of the largest of them, as shown. */
      largest: z.string(),
    })
    .nullable(),
  /** What the total paid for; kinds without cost are left out. */
  kinds: z.array(
    z.strictObject({
      kind: z.enum(['new-input', 'cached-input', 'surcharge', 'answers', 'thinking']),
      ...shownAmountFields,
    }),
  ),
  coverage: coverageSchema,
  unread: unreadSchema.optional(),
})
export type UsageWhy = z.infer<typeof usageWhySchema>
