import { z } from 'zod'

/** What lies in a home, by the folder that it lies in: `debug` are the CLI's own logs, which nobody here opens. */
export const DISK_KINDS = [
  'logs',
  'subagents',
  'outputs',
  'pictures',
  'plans',
  'restore-points',
  'debug',
  'other',
] as const
/** One of them. */
export type DiskKind = (typeof DISK_KINDS)[number]

const amountSchema = z.strictObject({ kind: z.enum(DISK_KINDS), sizeBytes: z.number(), files: z.number() })

/** What Gemini CLI's homes take on disk, by names and stat alone. gemini-dash deletes nothing there. */
export const diskUseSchema = z.strictObject({
  sizeBytes: z.number(),
  files: z.number(),
  /** false: there is more than is counted, because a folder could not be listed or holds too many files. */
  isComplete: z.boolean(),
  kinds: z.array(amountSchema),
  /** The largest first. */
  projects: z.array(
    z.strictObject({
      /** null: a folder beside those of projects, or of one that holds no session any more. */
      key: z.string().nullable(),
      name: z.string(),
      path: z.string().nullable(),
      /** There is no folder at `path` on this computer; null where that is not known. */
      isPathGone: z.boolean().nullable(),
      sizeBytes: z.number(),
      kinds: z.array(amountSchema),
    }),
  ),
  /** The largest saved outputs of tools, each with its session where its folder names one. */
  largest: z.array(
    z.strictObject({
      path: z.string(),
      sizeBytes: z.number(),
      sessionKey: z.string().nullable(),
      title: z.string().nullable(),
    }),
  ),
})
export type DiskUse = z.infer<typeof diskUseSchema>
