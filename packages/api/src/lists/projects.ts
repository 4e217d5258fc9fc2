import { projectSchema } from 'gemini-sessions'
import { z } from 'zod'
import { answer } from '../fields/answer.ts'

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
