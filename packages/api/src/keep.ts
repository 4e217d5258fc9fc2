import { z } from 'zod'
import { answer } from './fields.ts'

const limitsSchema = z.strictObject({
  /** Maximum size of the archive, compressed; null: no limit but the disk. */
  maxBytes: z.number().nullable(),
  /** Files last written longer ago are not archived; null: any age. */
  maxAgeDays: z.number().nullable(),
})
/** Maximum size of the archive, and age of its files. */
export type KeepLimits = z.infer<typeof limitsSchema>

/** A version of a file. `path` is relative to its Gemini folder. */
const keptVersionSchema = z.strictObject({
  home: z.string(),
  path: z.string(),
  /** When the archive first saw this version. */
  firstSeen: z.string(),
  /** Its session; null: none, or several. */
  sessionId: z.string().nullable(),
})

/** The archive of what Gemini CLI deletes: contents and state. */
export const keepStatusSchema = answer({
  /** Whether changes in these Gemini folders are archived. */
  enabled: z.boolean(),
  /** Main sessions with a file in the archive. */
  sessions: z.number(),
  /** Those that no Gemini folder has any more, fully or in part. */
  onlyHere: z.number(),
  files: z.number(),
  /** Size of all versions of all files, as read. */
  rawBytes: z.number(),
  /** Their size on disk, including `goneBytes`. */
  storedBytes: z.number(),
  /** The part for files that are gone from their Gemini folder, stored uncompressed for reading. */
  goneBytes: z.number(),
  /** When all files were last scanned. */
  lastRun: z.string().nullable(),
  /** File versions that cannot be restored, because their stored data is damaged. */
  damaged: z.number(),
  damagedFiles: z.array(keptVersionSchema),
  /** The archive is damaged and was not repaired; null: it is intact, or repaired as far as possible. */
  damage: z
    .strictObject({
      /** Sessions with something that cannot be restored. */
      affected: z.number(),
      /** Sessions that the archive has or had. */
      sessions: z.number(),
      /** Files beside sessions that cannot be restored and belong to no known session. */
      otherFiles: z.number(),
      /** The first damaged files of the archive, and what is wrong with them, in words. */
      places: z.array(z.string()),
      /** The damage in a sentence. */
      message: z.string(),
      /** What to do. */
      advice: z.string(),
    })
    .nullable(),
  /** What `keep repair` could not restore; null: nothing. */
  lost: z.strictObject({ sessions: z.number(), files: z.number() }).nullable(),
  lostFiles: z.array(keptVersionSchema),
  limits: limitsSchema,
  /** What the last run could not archive, and why, in a sentence; null: it archived everything. */
  problem: z.string().nullable(),
  /** The type of problem: the size limit is reached, the disk is full, or other. */
  hindrance: z.enum(['limit', 'no-room', 'other']).nullable(),
  /** Progress of the current scan in this process. `waiting`: another process has the archive; null: no scan. */
  running: z.strictObject({ waiting: z.boolean(), done: z.number(), total: z.number() }).nullable(),
  /** `kept`: changes in it are archived. A Gemini folder that does not exist at the moment has lost nothing. */
  homes: z.array(z.strictObject({ path: z.string(), exists: z.boolean(), kept: z.boolean() })),
  /** Folder of the archive; null: nothing can be archived, as with `--no-cache`. */
  folder: z.string().nullable(),
})
export type KeepStatus = z.infer<typeof keepStatusSchema>

/** Fields that are left out are unchanged. */
export const keepChangeSchema = z.strictObject({
  enabled: z.boolean().optional(),
  /** Deletes everything archived from these Gemini folders permanently, and stops archiving them. */
  erase: z.literal(true).optional(),
  limits: z
    .strictObject({
      maxBytes: z.number().int().positive('is not more than 0').nullable().optional(),
      maxAgeDays: z.number().positive('is not more than 0').nullable().optional(),
    })
    .optional(),
})
export type KeepChange = z.infer<typeof keepChangeSchema>
