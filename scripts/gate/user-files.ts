import { lstatSync, readdirSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { blameless, type Failure } from './test-events.ts'

const MOST_NAMED = 5
const OF_PROGRAM = [
  '.local/share/gemini-dash',
  '.local/state/gemini-dash',
  '.cache/gemini-dash',
  '.config/gemini-dash',
  'Library/Application Support/gemini-dash',
  'Library/Caches/gemini-dash',
  'AppData/Local/gemini-dash',
  'AppData/Roaming/gemini-dash',
]

/** Folders in which Gemini CLI and this program store the user's files. */
export function userFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  const { XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME } = env
  const chosen = [XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME].flatMap((folder) =>
    folder ? join(folder, 'gemini-dash') : [],
  )
  const homes = [...new Set([homedir(), userInfo().homedir])]
  return [...homes.flatMap((home) => ['.gemini', ...OF_PROGRAM].map((path) => join(home, path))), ...chosen]
}

/** Every file below some folders, with metadata that changes on writes. */
export function filesBelow(folders: readonly string[]): Map<string, string> {
  const files = new Map<string, string>()
  const waiting = [...folders]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) continue
    if (stats.isDirectory()) waiting.push(...namesIn(path).map((name) => join(path as string, name)))
    else files.set(path, `${stats.size} ${stats.mtimeMs} ${stats.ino}`)
  }
  return files
}

/** A failure if files were created or written while the tests ran. */
export function failuresOfUserFiles(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Failure[] {
  const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path))
  const gone = [...before.keys()].filter((path) => !after.has(path))
  const paths = [...changed, ...gone].sort()
  if (paths.length === 0) return []
  const named = paths.slice(0, MOST_NAMED).join(', ')
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''
  return [
    blameless(
      `While the tests ran, files of the user changed: ${named}${more}. Unless Gemini CLI or gemini-dash was used meanwhile, a test left its own home.`,
    ),
  ]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // owned by another user
    return []
  }
}
