import { z } from 'zod'

/** Of which content of a file this is: where nothing of it differs, nothing has changed. */
export const takenStampSchema = z.object({
  sizeBytes: z.number(),
  mtimeNs: z.string(),
  ctimeNs: z.string(),
  inode: z.string(),
})
export type TakenStamp = z.infer<typeof takenStampSchema>

/** What whoever keeps files says of one: the archive hands it back, and understands nothing of it. */
export const fileLabelSchema = z.record(z.string(), z.string().nullable())
export type FileLabel = z.infer<typeof fileLabelSchema>

const base64 = z.string()
const file = z.number()
const at = z.string()

/** One thing that happened. All notes of an archive, in order, make its manifest. */
export const noteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), file, path: z.string(), label: fileLabelSchema }),
  z.object({ kind: z.literal('label'), file, label: fileLabelSchema }),
  /** A content that is none of the file's before. */
  z.object({
    kind: z.literal('version'),
    file,
    at,
    sizeBytes: z.number(),
    stamp: takenStampSchema,
    recipe: base64,
  }),
  /** The same as before, and more behind it. `recipe`: of what came. */
  z.object({
    kind: z.literal('grown'),
    file,
    at,
    sizeBytes: z.number(),
    stamp: takenStampSchema,
    recipe: base64,
    /** Of what was there before, only the ends were read again. */
    isAssumed: z.boolean(),
  }),
  /** The same as before, and a little more behind it, which stands here: kept apart it would take several times itself. */
  z.object({
    kind: z.literal('added'),
    file,
    at,
    sizeBytes: z.number(),
    mtimeNs: z.string(),
    text: z.string(),
    isAssumed: z.boolean(),
  }),
  /** The same content, seen under another stamp, or read as a whole after it was only assumed. */
  z.object({ kind: z.literal('same'), file, at, stamp: takenStampSchema }),
  /** Not where it was. */
  z.object({ kind: z.literal('gone'), file, at, lastSeen: at }),
  /** All files were looked at: those that are not gone were there. */
  z.object({ kind: z.literal('looked'), at }),
])
export type Note = z.infer<typeof noteSchema>
