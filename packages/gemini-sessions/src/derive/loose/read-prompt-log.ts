import { z } from 'zod'
import { completeJson } from '../../parse/json/complete-json.ts'

const entrySchema = z.object({
  sessionId: z.string(),
  message: z.string(),
  /** Counts from 0 in each session. */
  messageId: z.number().nullable().catch(null),
  timestamp: z.unknown(),
})

/** A `logs.json`: its path relative to its home, and its text. */
export interface PromptLog {
  path: string
  text: string
}

/** One line that a person typed, and its place in the log. */
export type TypedEntry = z.infer<typeof entrySchema> & { file: string; index: number }

/**
 * What was typed in interactive mode, in the order of the log. The CLI writes the whole file again at each prompt, so a
 * crash can leave it cut or followed by NUL characters: what stands before that is read. Anything else is passed over.
 */
export function readPromptLog({ path, text }: PromptLog): TypedEntry[] {
  const rows = parseRows(text)
  return rows.flatMap((row, index) => {
    const entry = entrySchema.safeParse(row)
    return entry.success ? [{ ...entry.data, file: path, index }] : []
  })
}

function parseRows(text: string): unknown[] {
  const value = parse(text) ?? completeJson(text.replace(/\0+$/, ''))
  return Array.isArray(value) ? value : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
