import { parseJsonWithComments, readSmallFile } from './files.ts'

/** `general.sessionRetention` of Gemini CLI's settings: when it deletes sessions automatically. */
export interface SessionRetention {
  /** false: `settings.json` is not a JSON object, and Gemini CLI does not start. */
  isFileValid: boolean
  /** The group of settings as a whole; if invalid, the others are unset. */
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

/** Reads only `general.sessionRetention` from `settings.json`. `env` has the variables that settings can refer to. */
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

/** Also as a string, since variables are only replaced in strings. */
function toSwitch(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given
  const text = typeof given === 'string' ? given.toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** Also as a string. Fractions are rounded up. */
function toCount(given: unknown): number | undefined {
  const isText = typeof given === 'string' && given.trim() !== ''
  const count = isText || typeof given === 'number' ? Math.ceil(Number(given)) : 0
  return count >= 1 && Number(given) >= 1 ? count : undefined
}

const DAYS_PER_UNIT: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 }

/** `30d`, `24h`, `2w`, `1m`: Gemini CLI's own format. It accepts no other, and no 0. */
function toDays(given: unknown): number | undefined {
  const [, count = '', unit = ''] = typeof given === 'string' ? (/^(\d+)([hdwm])$/.exec(given) ?? []) : []
  const days = Number(count) * (DAYS_PER_UNIT[unit] ?? 0)
  return days > 0 ? days : undefined
}

const MAX_SETTINGS_BYTES = 4 * 1024 * 1024
/** Maximum length of a setting's value when quoted in a sentence. */
const MAX_WRITTEN = 60

/**
 * One setting of Gemini CLI, in three states that it treats differently. `invalid` keeps the value, since Gemini CLI continues with it:
 * `written` as JSON for display, `given` with its variables replaced.
 */
export type Setting<Value> =
  | { is: 'unset' }
  | { is: 'valid'; value: Value }
  | { is: 'invalid'; written: string; given: unknown }

/** `settings.json` of a Gemini folder. invalid: not a JSON object; Gemini CLI does not start with it. */
type SettingsFile = { is: 'missing' | 'invalid' } | { is: 'read'; settings: Record<string, unknown> }

type Environment = Readonly<Record<string, string | undefined>>

/** In the macOS sandbox (0.61) sessions are in the cache folder, but settings are in the user's home. */
const SANDBOX_HOME = /\/\.cache(?=\/\.gemini$)/

/** Path of a Gemini folder's settings, `/` on every system. */
export function settingsPath(home: { path: string }): string {
  return `${home.path.replace(SANDBOX_HOME, '')}/settings.json`
}

/** Callers take what they need; nothing else is kept. */
function readSettings(home: { path: string }): SettingsFile {
  const text = readSmallFile(settingsPath(home), MAX_SETTINGS_BYTES)
  if (text === null) return { is: 'missing' }
  const settings = parseJsonWithComments(text)
  return isObject(settings) ? { is: 'read', settings } : { is: 'invalid' }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `read` returns undefined for invalid values. */
function toSetting<Value>(
  given: unknown,
  read: (given: unknown) => Value | undefined,
  env: Environment,
): Setting<Value> {
  if (given === undefined) return { is: 'unset' }
  const replaced = typeof given === 'string' ? replaceVariables(given, env) : given
  const value = read(replaced)
  if (value !== undefined) return { is: 'valid', value }
  const written = JSON.stringify(given)
  return {
    is: 'invalid',
    written: written.length > MAX_WRITTEN ? `${written.slice(0, MAX_WRITTEN)}…` : written,
    given: replaced,
  }
}

/** `$NAME`, `${NAME}` and `${NAME:-default}`, as Gemini CLI replaces them in its settings; unknown ones are kept. */
function replaceVariables(text: string, env: Environment): string {
  return text.replace(
    /\$(?:(\w+)|{([^}]+?)(?::-([^}]*))?})/g,
    (match, bare, braced, fallback) => env[bare ?? braced] ?? fallback ?? match,
  )
}

/** The value of `tools.sandbox`: a command name, true for any available, false or null for none. */
export type SandboxSetting = string | boolean | null

/** Reads only `tools.sandbox` from `settings.json`: a boolean, a name, or an object with `enabled` and `command`. null: not set. */
export function readSandboxSetting(home: { path: string }): SandboxSetting {
  const file = readSettings(home)
  const tools = file.is === 'read' ? file.settings.tools : undefined
  const sandbox = isObject(tools) ? tools.sandbox : undefined
  if (typeof sandbox === 'string' || typeof sandbox === 'boolean') return sandbox
  if (!isObject(sandbox)) return null
  if (!sandbox.enabled) return false
  return typeof sandbox.command === 'string' ? sandbox.command : true
}
