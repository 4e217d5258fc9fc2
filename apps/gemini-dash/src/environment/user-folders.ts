import { isAbsolute } from 'node:path'

const NAMES = [
  'HOME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
]

/**
 * Removes empty or relative user folders from the environment: they would be resolved, and written to, below the current folder. The system
 * knows the home without `HOME`, and the XDG specification ignores relative folders.
 */
export function ignoreRelativeFolders(env: NodeJS.ProcessEnv): void {
  for (const name of NAMES) if (!isAbsolute(env[name] ?? '')) delete env[name]
}
