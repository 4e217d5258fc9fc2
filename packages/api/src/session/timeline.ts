import { timelineSchema } from 'gemini-sessions'
import { z } from 'zod'
import { versionField } from '../fields/answer.ts'

/** Milliseconds since the session's start: what is wanted in detail. All of it if absent. */
const windowField = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional()
/** Which part of the session’s time. */
export const timelineQuerySchema = z.object({ from: windowField, to: windowField })
export type TimelineQuery = z.infer<typeof timelineQuerySchema>

/** A session on one time axis, its sub-agents below the calls that started them: the model as it is. */
export const sessionTimelineSchema = timelineSchema.extend(versionField)
