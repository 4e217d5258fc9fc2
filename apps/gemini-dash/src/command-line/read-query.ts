import type { z } from 'zod'
import { CliError } from './cli-error.ts'
import type { Flags } from './flags.ts'

/** The flags as the query of the API that they stand for, told in words of the command line when they are wrong. */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  values: Partial<Record<string, string | number>>,
): z.infer<Schema> {
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new CliError(2, `--${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}.`)
}

/** `--limit`: null without it. The API clamps a bad limit, a person who typed one wants to know. */
export function readLimit({ limit }: Flags): number | null {
  if (limit === undefined) return null
  if (!/^\d{1,9}$/.test(limit)) throw new CliError(2, `--limit: "${limit}" is not a whole number.`)
  return Number(limit)
}
