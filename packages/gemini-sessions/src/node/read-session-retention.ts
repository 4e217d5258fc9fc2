import { join } from 'node:path'
import { z } from 'zod'
import { parseJsonWithComments } from './files/parse-json-with-comments.ts'
import { readSmallFile } from './files/read-bytes.ts'

const MAX_SETTINGS_BYTES = 4 * 1024 * 1024

/** When the CLI deletes sessions by itself. null: the settings do not say. */
export interface SessionRetention {
  enabled: boolean | null
  maxAgeDays: number | null
  maxCount: number | null
  minRetentionDays: number | null
}

const settingsSchema = z.object({
  general: z.object({
    sessionRetention: z.object({
      enabled: z.boolean().nullable().catch(null),
      maxAge: z.string().nullable().catch(null),
      maxCount: z.number().nullable().catch(null),
      minRetention: z.string().nullable().catch(null),
    }),
  }),
})

/** Of `settings.json` only `general.sessionRetention`; everything else in it is forgotten at once. */
export function readSessionRetention(home: { path: string }): SessionRetention {
  const text = readSmallFile(join(home.path, 'settings.json'), MAX_SETTINGS_BYTES)
  const settings = settingsSchema.safeParse(text === null ? null : parseJsonWithComments(text))
  if (!settings.success) return { enabled: null, maxAgeDays: null, maxCount: null, minRetentionDays: null }
  const { enabled, maxAge, maxCount, minRetention } = settings.data.general.sessionRetention
  return { enabled, maxAgeDays: toDays(maxAge), maxCount, minRetentionDays: toDays(minRetention) }
}

const DAYS_PER_UNIT: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 }

/** `30d`, `24h`, `2w`, `1m`: the CLI's own forms. */
function toDays(duration: string | null): number | null {
  const [, count, unit] = /^(\d+)([hdwm])$/.exec(duration?.trim() ?? '') ?? []
  const daysPerUnit = DAYS_PER_UNIT[unit ?? '']
  return count === undefined || daysPerUnit === undefined ? null : Number(count) * daysPerUnit
}
