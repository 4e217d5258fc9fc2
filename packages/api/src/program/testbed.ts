import { z } from 'zod'
import { answer } from '../fields/answer.ts'

/** What `testbed` wrote. */
export type TestbedAnswer = z.infer<typeof testbedAnswerSchema>
export const testbedAnswerSchema = answer({
  /** Absolute path of the Gemini home. */
  home: z.string(),
  /** Of Gemini CLI. */
  cliVersion: z.string(),
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      /** The folder in which the CLI is started to see it. */
      project: z.string(),
      /** Its form: `minimal`, `full`, `twins`, … */
      what: z.string(),
      /** Files in which nobody spoke, as a resume leaves them, relative to the home. */
      stubs: z.array(z.string()),
    }),
  ),
  /** Every file, by its absolute path. */
  writes: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
})
