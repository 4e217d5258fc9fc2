import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { toSlashes } from '../files/local-path.ts'
import { ANTIGRAVITY_FOLDERS } from './find-antigravity.ts'

/** A folder in which Gemini CLI keeps its data. */
export interface GeminiHome {
  /** The `.gemini` folder (or a copy of one by another name), absolute, `/` on every system. */
  path: string
  /** Its folder of projects. Only `GEMINI_SESSIONS_DIR` can name one that is not called `tmp`. */
  tmpPath: string
  exists: boolean
}

/** What says where to look. */
export interface HomeQuestion {
  /** Values of `--home`, in order. */
  homeArguments: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  userHome: string
}

/** Where to look for sessions: `--home`, else `GEMINI_SESSIONS_DIR`, else `GEMINI_CLI_HOME`, else the user's own home. */
export function findHomes({ homeArguments, env, userHome }: HomeQuestion): GeminiHome[] {
  if (homeArguments.length > 0) return distinct(homeArguments.map(homeAt))
  if (env.GEMINI_SESSIONS_DIR) return [homeOfSessions(env.GEMINI_SESSIONS_DIR)]
  if (env.GEMINI_CLI_HOME) return [homeAt(env.GEMINI_CLI_HOME)]
  // In the macOS sandbox 0.61 keeps sessions in the cache folder.
  const sandboxed = join(userHome, '.cache', '.gemini')
  const own = toHome(join(userHome, '.gemini'))
  return isFolder(sandboxed) ? [own, toHome(sandboxed)] : [own]
}

/** Any of these shows that a folder is a `.gemini` under another name. */
const HOME_CONTENT = ['tmp', 'projects.json', 'settings.json', ...ANTIGRAVITY_FOLDERS]

/** Accepts the folder above `.gemini`, `.gemini` itself, or a copy of it by another name. */
function homeAt(given: string): GeminiHome {
  const path = resolve(given)
  const inner = join(path, '.gemini')
  if (basename(path) === '.gemini') return toHome(path)
  // A user's home folder may hold a `tmp` of its own, so `.gemini` in it wins.
  if (isFolder(inner)) return toHome(inner)
  return toHome(HOME_CONTENT.some((name) => existsSync(join(path, name))) ? path : inner)
}

/** A folder of projects, whatever it is called; a home, or the folder above one, is taken for what it is. */
function homeOfSessions(given: string): GeminiHome {
  const tmpPath = resolve(given)
  const hasProjects = isFolder(join(tmpPath, 'tmp')) && !isFolder(join(tmpPath, 'tmp', 'chats'))
  if (basename(tmpPath) === '.gemini' || isFolder(join(tmpPath, '.gemini')) || hasProjects)
    return homeAt(tmpPath)
  const path = dirname(tmpPath)
  return { path: toSlashes(path), tmpPath: toSlashes(tmpPath), exists: isFolder(tmpPath) }
}

function toHome(path: string): GeminiHome {
  return { path: toSlashes(path), tmpPath: toSlashes(join(path, 'tmp')), exists: isFolder(path) }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function distinct(homes: readonly GeminiHome[]): GeminiHome[] {
  return [...new Map(homes.map((home) => [home.path, home])).values()]
}
