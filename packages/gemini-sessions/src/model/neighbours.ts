import { z } from 'zod'
import { pixelSizeSchema } from './part.ts'

/** A file that lies beside a session's own. Its content is asked for by `id`. */
export type NeighbourFile = z.infer<typeof neighbourFileSchema>
export const neighbourFileSchema = z.strictObject({
  id: z.string(),
  /** Absolute path of the home, and of the file relative to it; `/` on every system. */
  home: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  /** ISO 8601 UTC. */
  modifiedTime: z.string(),
})

/** session: it belongs to this one; project: it lies in the project's folder, and nothing says to which session. */
const scopeSchema = z.enum(['session', 'project'])

/** The whole of a tool's output, which the record holds cut or masked (0.26+; `.output` files before). */
export type SavedOutput = z.infer<typeof savedOutputSchema>
export const savedOutputSchema = z.strictObject({
  name: z.string(),
  /** null where no call of the session can be told. */
  callId: z.string().nullable(),
  messageKey: z.string().nullable(),
  toolName: z.string().nullable(),
  /** null: the record names the file, and it is no longer there. */
  file: neighbourFileSchema.nullable(),
})

/** A picture from the clipboard that a prompt names (0.27+). */
export type PastedImage = z.infer<typeof pastedImageSchema>
export const pastedImageSchema = z.strictObject({
  name: z.string(),
  messageKey: z.string(),
  /** null: no longer there. */
  file: neighbourFileSchema.nullable(),
  /** As a server adds it, which looks into the file. */
  pixelSize: pixelSizeSchema.nullable().optional(),
})

/** A plan that was written in plan mode (Markdown). */
export type Plan = z.infer<typeof planSchema>
export const planSchema = z.strictObject({
  scope: scopeSchema,
  file: neighbourFileSchema,
  text: z.string(),
  /** `text` is only the beginning of the file. */
  isCut: z.boolean(),
})

/** A task of the CLI's tracker (0.32+). Strings of no known version are kept as they are. */
export type TrackerTask = z.infer<typeof trackerTaskSchema>
export const trackerTaskSchema = z.strictObject({
  scope: scopeSchema,
  file: neighbourFileSchema,
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** epic, task, bug */
  type: z.string(),
  /** open, in_progress, blocked, closed */
  status: z.string(),
  parentId: z.string().nullable(),
  dependencies: z.array(z.string()),
})

/** The project as it was before an edit: a commit in the CLI's shadow repository, and the chat so far. */
export type RestorePoint = z.infer<typeof restorePointSchema>
export const restorePointSchema = z.strictObject({
  scope: scopeSchema,
  file: neighbourFileSchema,
  /** When, for which tool and which file, as the file's name says. */
  time: z.string().nullable(),
  toolName: z.string().nullable(),
  targetName: z.string().nullable(),
  commit: z.string().nullable(),
})

/** What was typed in this session, as `logs.json` says, and is not in its own file. */
export type TypedOnly = z.infer<typeof typedOnlySchema>
export const typedOnlySchema = z.strictObject({
  text: z.string(),
  timestamp: z.string().nullable(),
  /** `/stats`, `?`: answered by the CLI itself and never recorded. */
  isCommand: z.boolean(),
})

/** Everything that the CLI keeps of a session outside its file. */
export type Neighbours = z.infer<typeof neighboursSchema>
export const neighboursSchema = z.strictObject({
  savedOutputs: z.array(savedOutputSchema),
  images: z.array(pastedImageSchema),
  plans: z.array(planSchema),
  tasks: z.array(trackerTaskSchema),
  restorePoints: z.array(restorePointSchema),
  typedOnly: z.array(typedOnlySchema),
  /** Files in the session's own folder that are none of these. */
  otherFiles: z.array(neighbourFileSchema),
  /** How many files were left out because there are too many of them. */
  leftOut: z.number(),
})
