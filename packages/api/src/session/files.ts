import { fileCallSchema, fileChangeSchema, sessionSummarySchema, touchedFileSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer, coverageSchema, versionField } from '../fields/answer.ts'
import { limitField } from '../fields/query-fields.ts'

/** What the tools of a session, and of its sub-agents, did to which files. */
export type SessionFiles = z.infer<typeof sessionFilesSchema>
export const sessionFilesSchema = answer({
  files: z.array(touchedFileSchema),
  /** Sub-agent sessions whose calls are counted in. */
  agents: z.number(),
  /** Sub-agent sessions that were too many to be read. */
  agentsLeftOut: z.number(),
})

const pathField = z.string().min(1).max(4096)

/** Which file: absolute, or as calls said it where the project’s root is not known. */
export const fileChangeQuerySchema = z.object({ path: pathField })
/** What a session did to one file, change by change. */
export const sessionFileChangeSchema = fileChangeSchema.extend(versionField)

/** Which file, which calls, and which page of them. */
export const fileHistoryQuerySchema = z.object({
  /** Absolute; or as calls said it, where the project's root is not known. */
  path: pathField,
  /** A project's key or name: calls of its sessions may name the file relative to its root. */
  project: z.string().max(4096).optional(),
  show: z.enum(['all', 'changes', 'reads']).default('all'),
  limit: limitField(30),
  cursor: z.string().max(400).optional(),
})
export type FileHistoryQuery = z.infer<typeof fileHistoryQuerySchema>

/** A message whose calls touched the file. */
export type FileHistoryEntry = z.infer<typeof fileHistoryEntrySchema>
const fileHistoryEntrySchema = z.strictObject({
  session: sessionSummarySchema.pick({ key: true, title: true, kind: true, project: true }),
  messageKey: z.string(),
  timestamp: z.string().nullable(),
  /** What was asked for when the calls were made; null before the first prompt. */
  prompt: z.strictObject({ messageKey: z.string(), text: z.string() }).nullable(),
  calls: z.array(fileCallSchema),
})

/** Everything that the known sessions did to one file, newest first. */
export type FileHistory = z.infer<typeof fileHistorySchema>
export const fileHistorySchema = answer({
  path: z.string(),
  /** Relative to the project's root where it lies in it. */
  name: z.string(),
  project: sessionSummarySchema.shape.project.nullable(),
  entries: z.array(fileHistoryEntrySchema),
  /** Messages and sessions, whatever the page. */
  total: z.number(),
  sessionTotal: z.number(),
  coverage: coverageSchema,
  nextCursor: z.string().nullable(),
})
