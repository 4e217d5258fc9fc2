import { zoneField } from '@gemini-dash/api'
import { readDate } from '@gemini-dash/api/read-date'
import { z } from 'zod'
import { ownZone } from '../store/times/time-zone.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'

/** The flags as the query of the API that they stand for, told in words of the command line when they are wrong. */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  values: Partial<Record<string, string | number>>,
): z.infer<Schema> {
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path[0] ?? '')
  const value = JSON.stringify(values[name] ?? '')
  if (issue?.code === 'invalid_value')
    throw new CliError(2, `--${name}: ${value} is not one of ${issue.values.join(', ')}.`)
  throw new CliError(2, `--${name}: ${value} ${issue?.message ?? 'is not valid'}.`)
}

/** `--from` and `--to` with the dates that a search takes, too (`7d`, `yesterday`, `monday`), as moments. */
export function readSpan({ from, to, tz }: Flags, nowMs: number): { from?: string; to?: string } {
  const { tz: zone = ownZone() } = readQuery(z.object({ tz: zoneField.optional() }), { tz })
  const context = { zone, nowMs }
  return {
    ...(from === undefined ? {} : { from: momentOf('from', from, context) }),
    ...(to === undefined ? {} : { to: momentOf('to', to, context) }),
  }
}

/** A day stays a day: the query reads it in its zone. */
function momentOf(flag: 'from' | 'to', text: string, context: { zone: string; nowMs: number }): string {
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))) return text
  const timeMs = readDate(text, context)
  if (timeMs !== null) return new Date(timeMs).toISOString()
  throw new CliError(
    2,
    `--${flag}: "${text}" is not a date or time.`,
    'Write a day (2026-01-31), a time (2026-01-31T18:00), the last days (7d, 3m), the last hours (12h) or a word (today, yesterday, monday).',
  )
}

/** `--limit`: null without it. The API clamps a bad limit, a person who typed one wants to know. */
export function readLimit({ limit }: Flags): number | null {
  if (limit === undefined) return null
  if (!/^\d{1,9}$/.test(limit)) throw new CliError(2, `--limit: "${limit}" is not a whole number.`)
  return Number(limit)
}
