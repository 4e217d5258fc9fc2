import { z } from 'zod'
import { cutSchema } from './cut.ts'

const mediaFields = {
  mimeType: z.string(),
  /** base64 as stored; null where it is served by `href` or was only a reference. */
  data: z.string().nullable(),
  /** `fileData.fileUri` as stored. Never fetched. */
  uri: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  href: z.string().nullable(),
}

/** Width and height of a picture as it is drawn, in pixels. */
export type PixelSize = z.infer<typeof pixelSizeSchema>
export const pixelSizeSchema = z.strictObject({ width: z.number(), height: z.number() })

/** One piece of what a message says. Thoughts, tool calls and tool results are not parts: they have fields of their own. */
export type Part = z.infer<typeof partSchema>
export const partSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string(), cut: cutSchema.optional() }),
  z.strictObject({
    kind: z.literal('image'),
    ...mediaFields,
    pixelSize: pixelSizeSchema.nullable().optional(),
  }),
  z.strictObject({ kind: z.literal('audio'), ...mediaFields }),
  z.strictObject({ kind: z.literal('file'), ...mediaFields }),
  z.strictObject({
    kind: z.literal('code'),
    language: z.string().nullable(),
    code: z.string(),
    /** `codeExecutionResult`, where one follows the code. */
    outcome: z.string().nullable(),
    output: z.string().nullable(),
    cut: cutSchema.optional(),
  }),
  z.strictObject({ kind: z.literal('unknown'), json: z.unknown(), cut: cutSchema.optional() }),
])
