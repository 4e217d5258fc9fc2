import { z } from 'zod'
import { answer } from '../fields/answer.ts'

/** Whose rules of quoting a command follows. */
export const RESUME_SHELLS = ['posix', 'powershell'] as const
/** One of them. */
export type Shell = (typeof RESUME_SHELLS)[number]

/** Which shell the command is quoted for; left out, that of the system on which the program runs. */
export const resumeQuerySchema = z.object({ shell: z.enum(RESUME_SHELLS).optional() })

/** What speaks against it: each has its sentence in `notes`. */
export const RESUME_PROBLEMS = [
  'folder-gone',
  'other-home',
  'deleted-next-start',
  'shared-id',
  'cli-too-old',
  'deleted',
] as const
/** One of them. */
export type ResumeProblem = (typeof RESUME_PROBLEMS)[number]

/** How Gemini CLI goes on with a session. */
export type Resume = z.infer<typeof resumeSchema>
export const resumeSchema = answer({
  /** To be typed into the shell; null: this cannot be resumed, and `notes` say why. */
  command: z.string().nullable(),
  /** The folder in which it has to be started; null: nobody knows it. */
  cwd: z.string().nullable(),
  problems: z.array(z.enum(RESUME_PROBLEMS)),
  /** The oldest version of Gemini CLI that can; null where nothing can be resumed. */
  needs: z.string().nullable(),
  /** What there is to know before, sentence by sentence. */
  notes: z.array(z.string()),
})
