import { isObject, readSettings } from './read-setting.ts'

/** What `tools.sandbox` selects: the name of a command, true for whichever there is, false or null for none. */
export type SandboxSetting = string | boolean | null

/** Of `settings.json` only `tools.sandbox`: as a switch, a name, or an object with `enabled` and `command`. null: not set. */
export function readSandboxSetting(home: { path: string }): SandboxSetting {
  const file = readSettings(home)
  const tools = file.is === 'read' ? file.settings.tools : undefined
  const sandbox = isObject(tools) ? tools.sandbox : undefined
  if (typeof sandbox === 'string' || typeof sandbox === 'boolean') return sandbox
  if (!isObject(sandbox)) return null
  if (!sandbox.enabled) return false
  return typeof sandbox.command === 'string' ? sandbox.command : true
}
