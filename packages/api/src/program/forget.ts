import { z } from 'zod'
import { answer } from '../fields/answer.ts'

/** What came of forgetting a session with its sub-agents. */
export type ForgetAnswer = z.infer<typeof forgetAnswerSchema>
export const forgetAnswerSchema = answer({
  /** Ids that are never kept again. */
  sessions: z.number(),
  /** Files of which the archive held something. */
  erased: z.number(),
  /** Absolute paths of its files in a home: they are left alone, shown as all that is there, and never kept again. */
  stillThere: z.array(z.string()),
})
