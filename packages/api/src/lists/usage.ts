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

/** By what usage is summed, over which days and project. */
export const usageQuerySchema = z.object({
  by: z.enum(['day', 'week', 'month', 'hour-of-week', 'model', 'project', 'tool', 'session']).default('day'),
  from: timeField.optional(),
  to: timeField.optional(),
  tz: zoneField.optional(),
  project: z.string().max(4096).optional(),
  /** `by=day`, `week` and `month` only: what each is made of besides its models. */
  split: z.enum(['model', 'project']).optional(),
  /** `tokens`: those with most tokens first. Without it days, weeks, months and hours are in their order, all others by cost. */
  order: z.enum(['tokens']).optional(),
  /** So many rows at most; the total is that of all. */
  limit: z.coerce.number().int().min(1).optional(),
  /** `csv`: the rows as a file; with `split`, a line for each part of a day, week or month. */
  format: z.enum(['json', 'csv']).default('json'),
})
export type UsageQuery = z.infer<typeof usageQuerySchema>

const partFields = { usage: tokenUsageSchema, cost: costSchema, sessions: z.number() }

/** The usage of one day, week, month, model, project, tool or session. */
export const usageRowSchema = z.strictObject({
  /** Day `YYYY-MM-DD`, week by its Monday in the same form, month `YYYY-MM`, hour of the week `1-00` (Monday) to `7-23`, model, project key, tool name or session key (a sub-agent is in the row of its main session, if that is there). */
  key: z.string(),
  /** The key as a person reads it. */
  label: z.string(),
  /** null for `by=tool`: a call's tokens are not given to each of its tools. */
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  /** Of models; `by=tool`: of the tool. */
  calls: z.number(),
  /** Main sessions; sub-agents are part of theirs. */
  sessions: z.number(),
  /** `by=session` only, and only of a session with sub-agents: its own share of `usage` and `cost`, which have theirs in them. */
  own: z.strictObject({ usage: tokenUsageSchema, cost: costSchema }).optional(),
  /** `by=session` only: the name of its project. */
  project: z.string().optional(),
  /** `by=tool` only. */
  errors: z.number().optional(),
  /** `by=tool` only: what its outputs sent to the model, estimated by their length. */
  outputTokensEstimate: z.number().optional(),
  /** From answers to results: at most, as starts are not recorded; of the `timedCalls` whose times are. */
  maxTimeMs: z.number().optional(),
  timedCalls: z.number().optional(),
  /** `by=day`, `week` and `month` only: the same time by model, largest first. Sessions of several models count at each. */
  models: z.array(z.strictObject({ name: z.string(), ...partFields })).optional(),
  /** The same with `split=project` only: by project, largest first. */
  projects: z.array(z.strictObject({ key: z.string(), name: z.string(), ...partFields })).optional(),
})
export type UsageRow = z.infer<typeof usageRowSchema>

/** Rows, and the sum of all of them: each token once. */
export const usageReportSchema = answer({
  rows: z.array(usageRowSchema),
  total: z.strictObject({
    usage: tokenUsageSchema,
    cost: costSchema,
    calls: z.number(),
    sessions: z.number(),
    /** What failed in these sessions and their sub-agents, as in a list of them; like tools, it follows the range of the main session. */
    failures: sessionFailuresSchema,
    /** Of its failed tool calls: what became of them. */
    fates: fateCountsSchema,
  }),
  /** Of `usage --json` where a budget is set: the month that runs, whatever range was asked for. */
  budgets: budgetReportSchema.optional(),
  coverage: coverageSchema,
  /** Of all that the answer could be made of. */
  unread: unreadSchema.optional(),
})
export type UsageReport = z.infer<typeof usageReportSchema>

/** Whose cost is asked about. */
export const usageWhyQuerySchema = usageQuerySchema.pick({ from: true, to: true, tz: true, project: true })
export type UsageWhyQuery = z.infer<typeof usageWhyQuerySchema>

/** Every project of these homes, the one with the latest activity first. */
export const projectListSchema = answer({ projects: z.array(projectSchema), total: z.number() })
export type ProjectList = z.infer<typeof projectListSchema>

const MAX_NAME_LENGTH = 200
const MAX_PATH_LENGTH = 4096

/** Control characters, half characters, line ends, and marks that turn the direction of what follows: a name with them could pose as another. */
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

/** What the user says about a project. A field that is left out stays as it is, null takes it back. */
export const projectChangeSchema = z.strictObject({
  name: visibleText(MAX_NAME_LENGTH).nullish(),
  path: visibleText(MAX_PATH_LENGTH)
    .regex(ABSOLUTE, 'is not a whole path, such as /home/ada/code/shop')
    .nullish(),
})
export type ProjectChange = z.infer<typeof projectChangeSchema>

const lookedSchema = z.strictObject({
  /** Absolute paths of the folders below which was looked. */
  places: z.array(z.string()),
  folders: z.number(),
  /** all: nothing was left; time, folders: a bound was reached; cancelled: the asker left. */
  end: z.enum(['all', 'time', 'folders', 'cancelled']),
})

/** Where the folders of all projects without a known path were looked for, and how it ended. */
export const foldersSearchSchema = answer({
  /** How many projects were looked for, and of how many the folder was found. */
  wanted: z.number(),
  found: z.number(),
  looked: lookedSchema,
})
export type FoldersSearch = z.infer<typeof foldersSearchSchema>

/** Where a project's folder was looked for on this computer, and how it ended. */
export const folderSearchSchema = answer({
  project: projectSchema,
  /** null: no folder that was looked at is the project's. */
  path: z.string().nullable(),
  looked: lookedSchema,
})
export type FolderSearch = z.infer<typeof folderSearchSchema>

/**
 * Why the sessions of a usage report cost what they did: the sessions or the projects that make up 80 %, then what all of it was paid
 * for. Both add up to the total.
 */
export const usageWhySchema = answer({
  /** null: no price is known of any request. */
  total: z.number().nullable(),
  shown: z.string().nullable(),
  /** What the lines are; projects only where it takes more than eight sessions. */
  by: z.enum(['session', 'project']),
  /** The largest first, at most eight. */
  lines: z.array(
    z.strictObject({
      /** Of the session or the project. */
      key: z.string(),
      name: z.string(),
      ...shownAmountFields,
      sessions: z.int(),
      ...reasonWordFields,
    }),
  ),
  /** All other sessions; null: there are none. */
  other: z
    .strictObject({
      ...shownAmountFields,
      sessions: z.int(),
      /** What the largest of them cost, as it is shown. */
      largest: z.string(),
    })
    .nullable(),
  /** What the total was paid for; kinds that came to nothing are left out. */
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
