import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { findHomes } from 'gemini-sessions/node'
import type { InstalledCli } from './plan-resume.ts'

const PACKAGE = '@google/gemini-cli'
const NAMES = process.platform === 'win32' ? ['gemini.cmd', 'gemini.ps1', 'gemini'] : ['gemini']

/** The Gemini CLI that a terminal with this environment would start. Only looked at, never started. */
export function installedCli(env: NodeJS.ProcessEnv = process.env, userHome = homedir()): InstalledCli {
  const { GEMINI_CLI_HOME } = env
  const homes = findHomes({ homeArguments: [], env: { GEMINI_CLI_HOME }, userHome })
  return { homes: homes.map(({ path }) => path), version: installedVersion(env) }
}

function installedVersion({ PATH, Path }: NodeJS.ProcessEnv): string | null {
  const folders = (PATH ?? Path ?? '').split(delimiter).filter((folder) => folder !== '')
  const program = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync)
  if (program === undefined) return null
  // npm links to a file of the package; on Windows it writes a script beside the packages.
  return versionAbove(program) ?? versionIn(join(dirname(program), 'node_modules', PACKAGE))
}

function versionAbove(program: string): string | null {
  try {
    let folder = dirname(realpathSync(program))
    for (let parent = dirname(folder); parent !== folder; parent = dirname(folder)) {
      const version = versionIn(folder)
      if (version !== null) return version
      folder = parent
    }
  } catch {
    // A link that leads nowhere.
  }
  return null
}

function versionIn(folder: string): string | null {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return name === PACKAGE && typeof version === 'string' ? version : null
  } catch {
    return null
  }
}
