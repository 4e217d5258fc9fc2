import { parseJsonWithComments } from '../files/parse-json-with-comments.ts'
import { readSmallFile } from '../files/read-bytes.ts'

const MAX_SETTINGS_BYTES = 4 * 1024 * 1024
/** Of what somebody wrote into a setting, as much as a sentence about it can quote. */
const MAX_WRITTEN = 60

/**
 * One setting of Gemini CLI, in three states that mean different things to it. `invalid` keeps what it was set to, since Gemini CLI
 * goes on with that: `written` as JSON for people, `given` with its variables replaced.
 */
export type Setting<Value> =
  | { is: 'unset' }
  | { is: 'valid'; value: Value }
  | { is: 'invalid'; written: string; given: unknown }

/** `settings.json` of a home. invalid: no JSON object, with which Gemini CLI does not start. */
export type SettingsFile = { is: 'missing' | 'invalid' } | { is: 'read'; settings: Record<string, unknown> }

type Environment = Readonly<Record<string, string | undefined>>

/** In the macOS sandbox (0.61) sessions are in the cache folder, and settings stay in the user's own. */
const SANDBOX_HOME = /\/\.cache(?=\/\.gemini$)/

/** Where the settings of a home are, `/` on every system. */
export function settingsPath(home: { path: string }): string {
  return `${home.path.replace(SANDBOX_HOME, '')}/settings.json`
}

/** Callers take out what they are about; everything else is forgotten at once. */
export function readSettings(home: { path: string }): SettingsFile {
  const text = readSmallFile(settingsPath(home), MAX_SETTINGS_BYTES)
  if (text === null) return { is: 'missing' }
  const settings = parseJsonWithComments(text)
  return isObject(settings) ? { is: 'read', settings } : { is: 'invalid' }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `read` answers undefined for what is not valid. */
export function toSetting<Value>(
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

/** `$NAME`, `${NAME}` and `${NAME:-default}`, as Gemini CLI replaces them in its settings; an unknown one stays as it is. */
function replaceVariables(text: string, env: Environment): string {
  return text.replace(
    /\$(?:(\w+)|{([^}]+?)(?::-([^}]*))?})/g,
    (match, bare, braced, fallback) => env[bare ?? braced] ?? fallback ?? match,
  )
}
