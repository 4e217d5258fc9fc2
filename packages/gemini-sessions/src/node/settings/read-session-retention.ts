import { isObject, readSettings, type Setting, toSetting } from './read-setting.ts'

/** `general.sessionRetention` of Gemini CLI's settings: when it deletes sessions by itself. */
export interface SessionRetention {
  /** false: `settings.json` is no JSON object, and Gemini CLI does not start. */
  isFileValid: boolean
  /** The group of settings as a whole; without a valid one the others are unset. */
  all: Setting<true>
  enabled: Setting<boolean>
  maxAgeDays: Setting<number>
  maxCount: Setting<number>
  minRetentionDays: Setting<number>
}

const UNSET = { is: 'unset' } as const
const NOTHING_SET: SessionRetention = {
  isFileValid: true,
  all: UNSET,
  enabled: UNSET,
  maxAgeDays: UNSET,
  maxCount: UNSET,
  minRetentionDays: UNSET,
}

/** Of `settings.json` only `general.sessionRetention`. `env` has the variables that settings can name. */
export function readSessionRetention(
  home: { path: string },
  env: Readonly<Record<string, string | undefined>> = process.env,
): SessionRetention {
  const file = readSettings(home)
  if (file.is !== 'read') return { ...NOTHING_SET, isFileValid: file.is === 'missing' }
  const { general } = file.settings
  const group = isObject(general) || general === undefined ? general?.sessionRetention : general
  const all = toSetting(group, (given) => isObject(given) || undefined, env)
  if (!isObject(group)) return { ...NOTHING_SET, all }
  const { enabled, maxAge, maxCount, minRetention } = group
  return {
    isFileValid: true,
    all,
    enabled: toSetting(enabled, toSwitch, env),
    maxAgeDays: toSetting(maxAge, toDays, env),
    maxCount: toSetting(maxCount, toCount, env),
    minRetentionDays: toSetting(minRetention, toDays, env),
  }
}

/** In quotes, too, as variables are replaced in texts alone. */
function toSwitch(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given
  const text = typeof given === 'string' ? given.toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** In quotes, too. A part of a session is one more. */
function toCount(given: unknown): number | undefined {
  const isText = typeof given === 'string' && given.trim() !== ''
  const count = isText || typeof given === 'number' ? Math.ceil(Number(given)) : 0
  return count >= 1 && Number(given) >= 1 ? count : undefined
}

const DAYS_PER_UNIT: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 }

/** `30d`, `24h`, `2w`, `1m`: Gemini CLI's own forms. It takes no other, and no 0. */
function toDays(given: unknown): number | undefined {
  const [, count = '', unit = ''] = typeof given === 'string' ? (/^(\d+)([hdwm])$/.exec(given) ?? []) : []
  const days = Number(count) * (DAYS_PER_UNIT[unit] ?? 0)
  return days > 0 ? days : undefined
}
