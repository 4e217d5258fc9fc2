import { z } from 'zod'

/** The version of Gemini CLI that this program knows, and the one that is there. */
export const cliSchema = z.strictObject({
  /** The newest version whose files and rules this program knows. */
  known: z.string(),
  /** null: none was found, or nobody looked, as for the samples. */
  installed: z
    .strictObject({
      version: z.string(),
      /** The folder of its package. */
      path: z.string(),
    })
    .nullable(),
  /** The oldest version that can have written the newest of the files; null: any. */
  writtenBy: z.string().nullable(),
  /** What follows from these, in sentences. */
  text: z.string(),
  /**
   * How a sentence about a deletion begins where the rules were not tried with the version that is installed:
   * "By the rules of Gemini CLI 0.61". null: they were.
   */
  byRules: z.string().nullable(),
})
