import { supersededSchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { versionField } from '../fields/answer.ts'
import { costExplanationSchema } from './cost-explanation.ts'

/** A row of a session file that records tokens of a call. A log has one for each time that the CLI wrote them. */
export const tokenRecordSchema = z.strictObject({
  /** Relative to its home. */
  file: z.string(),
  /** 1-based; null: the file is one document. */
  line: z.number().nullable(),
  /** 0-based, in a list of messages; null: the row is a line of its own. */
  index: z.number().nullable(),
  usage: tokenUsageSchema,
  /** Its figures are those of the call; the others are earlier versions, or the same in another file. */
  isCounted: z.boolean(),
})
export type TokenRecord = z.infer<typeof tokenRecordSchema>

/** How the figures of one model call came about: its cost, its tokens, and the records of them. */
export const callExplanationSchema = costExplanationSchema.extend({
  ...versionField,
  /** null: no tokens are recorded. */
  usage: tokenUsageSchema.nullable(),
  timestamp: z.string().nullable(),
  /** Why the CLI holds the message no more; null: it does. */
  superseded: supersededSchema.nullable(),
  /** Every row of the session’s files that tells its tokens. */
  records: z.array(tokenRecordSchema),
})
export type CallExplanation = z.infer<typeof callExplanationSchema>
